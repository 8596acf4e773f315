import Foundation

/// Whether somebody listens on a TCP port of a process's network namespace.
package enum ListeningSocket {
    /// - Parameter process: any process of that namespace.
    package static func exists(port: UInt16, besideProcess process: Int32) -> Bool {
        ["tcp", "tcp6"].contains { table in
            let text = (try? String(contentsOfFile: "/proc/\(process)/net/\(table)", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").dropFirst().contains { line in
                let fields = line.split(separator: " ")
                guard fields.count > 3, fields[3] == "0A", let colon = fields[1].lastIndex(of: ":") else {
                    return false
                }
                return UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port
            }
        }
    }
}
