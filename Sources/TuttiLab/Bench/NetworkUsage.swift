import Foundation

/// What the interfaces of a network namespace have carried.
enum NetworkUsage {
    /// Bytes that all of them have sent so far, to the host itself as well; nil when the process is gone.
    ///
    /// - Parameter process: any process of that namespace.
    static func bytesSent(besideProcess process: Int32) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/net/dev", encoding: .utf8) else { return nil }
        // Two lines of headings; after a name there are eight counts of what has come, and then those of what was sent.
        return text.split(separator: "\n").dropFirst(2).reduce(0) { sum, line in
            let counts = line.split(separator: ":").last?.split(separator: " ") ?? []
            return sum + (counts.count > 8 ? Int(counts[8]) ?? 0 : 0)
        }
    }
}
