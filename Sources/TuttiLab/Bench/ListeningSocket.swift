import Foundation

/// Whether somebody listens on a TCP port of a process's network namespace.
package enum ListeningSocket {
    /// - Parameter process: any process of that namespace.
    package static func exists(port: UInt16, besideProcess process: Int32) -> Bool {
        ["tcp", "tcp6"].contains { table in
            // Of a file that says it is empty, as those of /proc do, `String(contentsOfFile:)` may give the first page
            // only.
            let file = FileHandle(forReadingAtPath: "/proc/\(process)/net/\(table)")
            let text = (try? file?.readToEnd()).map { String(decoding: $0, as: UTF8.self) } ?? ""
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
