/// Makes lines of the bytes of a connection, whatever they come in.
package struct MPDLineSplitter: Sendable {
    /// What comes next.
    package enum Next: Equatable, Sendable {
        /// A line, without its end.
        case line([UInt8])
        /// The rest has not come yet.
        case wait
        /// The line is longer than any command.
        case tooLong
    }

    private var bytes: [UInt8] = []
    private var start = 0
    /// Up to here there is no end of a line.
    private var looked = 0

    package init() {}

    /// Bytes that have not become lines.
    package var waiting: Int { bytes.count - start }

    /// Takes bytes.
    package mutating func take(_ more: some Sequence<UInt8>) {
        if start > 0, start >= bytes.count / 2 {
            bytes.removeSubrange(..<start)
            (looked, start) = (looked - start, 0)
        }
        bytes.append(contentsOf: more)
    }

    /// The next line.
    package mutating func next() -> Next {
        guard let end = bytes[looked...].firstIndex(of: UInt8(ascii: "\n")) else {
            looked = bytes.count
            return waiting > MPDLimits.line ? .tooLong : .wait
        }
        guard end - start <= MPDLimits.line else { return .tooLong }
        var line = bytes[start..<end]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        (start, looked) = (end + 1, end + 1)
        return .line(Array(line))
    }
}
