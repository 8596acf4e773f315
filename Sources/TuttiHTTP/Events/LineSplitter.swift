/// Cuts bytes into lines.
package struct LineSplitter: Sendable {
    /// A line is longer than it may be.
    package struct TooLong: Error {}

    private var pending: [UInt8] = []
    private let limit: Int

    /// - Parameter limit: bytes of a line at most.
    package init(limit: Int) { self.limit = limit }

    /// The lines that these bytes complete, without their ends.
    ///
    /// - Throws: `TooLong`.
    package mutating func split(_ bytes: some Collection<UInt8>) throws(TooLong) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(pending + rest[..<end])
            pending = []
            rest = rest[rest.index(after: end)...]
        }
        pending.append(contentsOf: rest)
        guard pending.count <= limit else { throw TooLong() }
        return lines
    }
}
