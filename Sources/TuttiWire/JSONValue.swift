/// A value in a JSON object.
enum JSONValue: Equatable {
    case null
    case flag(Bool)
    case integer(Int64)
    /// A number that is no whole one of 64 bits as it stands there.
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])
}

/// What fields of messages hold.
protocol JSONReadable {
    /// Nil when the value is another kind of thing.
    init?(_ value: JSONValue)
}

extension Bool: JSONReadable {
    init?(_ value: JSONValue) {
        guard case .flag(let flag) = value else { return nil }
        self = flag
    }
}

extension String: JSONReadable {
    init?(_ value: JSONValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension Double: JSONReadable {
    init?(_ value: JSONValue) {
        switch value {
        case .integer(let integer): self = Double(integer)
        case .number(let number): self = number
        default: return nil
        }
    }
}

extension FixedWidthInteger {
    /// Also of a number that is written with a fraction or an exponent and is whole.
    init?(_ value: JSONValue) {
        switch value {
        case .integer(let integer): self.init(exactly: integer)
        case .number(let number): self.init(exactly: number)
        default: return nil
        }
    }
}

extension Int: JSONReadable {}
extension Int64: JSONReadable {}
extension UInt16: JSONReadable {}
extension UInt32: JSONReadable {}
extension UInt64: JSONReadable {}

extension Array: JSONReadable where Element: JSONReadable {
    init?(_ value: JSONValue) {
        guard case .list(let list) = value else { return nil }
        self = []
        reserveCapacity(list.count)
        for value in list {
            guard let element = Element(value) else { return nil }
            append(element)
        }
    }
}
