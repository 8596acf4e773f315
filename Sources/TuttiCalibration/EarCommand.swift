/// What someone who compares two rooms by ear asks for.
package enum EarCommand: Sendable, Equatable {
    /// So many tenths of a millisecond more (the room plays earlier), or less.
    case change(tenths: Int)
    /// It is right: keep it.
    case accept
    /// Put it back as it was.
    case quit

    /// Reads a line: `+1`, `-0.1`, `ok`, `quit`.
    package init?(line: String) {
        let word = line.filter { $0 != " " && $0 != "\t" && $0 != "\r" }.lowercased()
        switch word {
        case "ok", "": self = .accept
        case "quit", "q": self = .quit
        default:
            guard word.hasPrefix("+") || word.hasPrefix("-"), let step = OutputDelay(parsing: word) else { return nil }
            self = .change(tenths: step.tenths)
        }
    }

    /// Takes the next key from the bytes of a terminal; nil when they are none or only the beginning of one. Bytes that
    /// mean nothing are dropped.
    ///
    /// - Parameter bytes: what has been read and not understood yet.
    package static func next(from bytes: inout [UInt8]) -> EarCommand? {
        while let byte = bytes.first {
            if byte == 0x1B {
                guard bytes.count >= 2 else { return nil }
                guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
                    bytes.removeFirst()
                    continue
                }
                // An arrow is ESC [ A … D, with shift ESC [ 1 ; 2 A … D.
                guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
                    if bytes.count > 16 { bytes.removeAll() }
                    return nil
                }
                let isFine = bytes[2..<end].elementsEqual(Array("1;2".utf8))
                let final = bytes[end]
                bytes.removeSubrange(...end)
                if let command = arrow(final, isFine: isFine) { return command }
                continue
            }
            bytes.removeFirst()
            if let command = key(byte) { return command }
        }
        return nil
    }

    private static func arrow(_ final: UInt8, isFine: Bool) -> EarCommand? {
        switch final {
        case UInt8(ascii: "A"): .change(tenths: 100)
        case UInt8(ascii: "B"): .change(tenths: -100)
        case UInt8(ascii: "C"): .change(tenths: isFine ? 1 : 10)
        case UInt8(ascii: "D"): .change(tenths: isFine ? -1 : -10)
        default: nil
        }
    }

    private static func key(_ byte: UInt8) -> EarCommand? {
        switch byte {
        case UInt8(ascii: "."): .change(tenths: 1)
        case UInt8(ascii: ","): .change(tenths: -1)
        case UInt8(ascii: "+"): .change(tenths: 10)
        case UInt8(ascii: "-"): .change(tenths: -10)
        case 0x0A, 0x0D: .accept
        case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x03: .quit
        default: nil
        }
    }
}
