/// Reads one JSON object of outside data, by RFC 8259, nested so deep at most.
struct JSONParser {
    /// Lists and objects within each other, the outermost included.
    static let depth = 32

    private let bytes: [UInt8]
    private var place = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The fields of the object that `bytes` are; nil when they are none. Of fields with one name the last counts.
    static func fields(of bytes: [UInt8]) -> [String: JSONValue]? {
        var parser = JSONParser(bytes)
        guard case .object(let fields)? = parser.value(depth: 1) else { return nil }
        parser.skipSpace()
        return parser.place == bytes.count ? fields : nil
    }

    // MARK: Values

    private mutating func value(depth: Int) -> JSONValue? {
        skipSpace()
        guard depth <= Self.depth + 1, place < bytes.count else { return nil }
        switch bytes[place] {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return list(depth: depth)
        case UInt8(ascii: "\""): return text().map(JSONValue.text)
        case UInt8(ascii: "t"): return take("true") ? .flag(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .flag(false) : nil
        case UInt8(ascii: "n"): return take("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        guard depth <= Self.depth else { return nil }
        var fields: [String: JSONValue] = [:]
        place += 1
        guard !takes(UInt8(ascii: "}")) else { return .object(fields) }
        repeat {
            skipSpace()
            guard let name = text(), takes(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
            fields[name] = value
        } while takes(UInt8(ascii: ","))
        return takes(UInt8(ascii: "}")) ? .object(fields) : nil
    }

    private mutating func list(depth: Int) -> JSONValue? {
        guard depth <= Self.depth else { return nil }
        var list: [JSONValue] = []
        place += 1
        guard !takes(UInt8(ascii: "]")) else { return .list(list) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            list.append(value)
        } while takes(UInt8(ascii: ","))
        return takes(UInt8(ascii: "]")) ? .list(list) : nil
    }

    // MARK: Numbers

    private mutating func number() -> JSONValue? {
        let begin = place
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { place += 1 }
        var whole: Int64? = 0
        let first = place
        while let digit = next, isDigit(digit) {
            whole = whole.flatMap { Self.appending(digit, to: $0, isNegative: isNegative) }
            place += 1
        }
        guard place > first, bytes[first] != UInt8(ascii: "0") || place == first + 1 else { return nil }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            isWhole = false
            place += 1
            guard skipDigits() else { return nil }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            place += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
            guard skipDigits() else { return nil }
        }
        if isWhole, let whole { return .integer(whole) }
        return Double(String(decoding: bytes[begin..<place], as: UTF8.self)).map(JSONValue.number)
    }

    private static func appending(_ digit: UInt8, to number: Int64, isNegative: Bool) -> Int64? {
        let (shifted, isTooLong) = number.multipliedReportingOverflow(by: 10)
        let unit = Int64(digit - UInt8(ascii: "0"))
        let (sum, isTooLarge) = shifted.addingReportingOverflow(isNegative ? -unit : unit)
        return isTooLong || isTooLarge ? nil : sum
    }

    private mutating func skipDigits() -> Bool {
        let first = place
        while let digit = next, isDigit(digit) { place += 1 }
        return place > first
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    // MARK: Texts

    private mutating func text() -> String? {
        guard next == UInt8(ascii: "\"") else { return nil }
        place += 1
        var begin = place
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += bytes[begin..<place]
                place += 1
                return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += bytes[begin..<place]
                place += 1
                guard let scalar = escaped() else { return nil }
                text += String(scalar).utf8
                begin = place
            case 0..<0x20: return nil
            default: place += 1
            }
        }
        return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
        guard let byte = next else { return nil }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: return nil
        }
        guard let first = unit() else { return nil }
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard take("\\u"), let second = unit(), UTF16.isTrailSurrogate(second) else { return nil }
        return Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    }

    /// Four hexadecimal digits.
    private mutating func unit() -> UInt16? {
        guard place + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[place..<(place + 4)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        place += 4
        return unit
    }

    // MARK: Bytes

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { place += 1 }
    }

    /// Skips space and then `byte`, if that comes.
    private mutating func takes(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        place += 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let word = word.description.utf8
        guard bytes[place...].starts(with: word) else { return false }
        place += word.count
        return true
    }
}
