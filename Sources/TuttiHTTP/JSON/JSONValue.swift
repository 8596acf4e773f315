import FoundationEssentials
import TuttiSchema

/// A JSON document whose shape is not known before it is read.
package enum JSONValue: Sendable, Equatable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads a document.
    ///
    /// - Returns: nil for what is no JSON.
    package init?(_ bytes: some Sequence<UInt8>) {
        guard let value: JSONValue = JSONLine.decode(bytes) else { return nil }
        self = value
    }

    /// The field of an object.
    package subscript(_ name: String) -> JSONValue? {
        if case .object(let fields) = self { fields[name] } else { nil }
    }

    /// The text, of a string.
    package var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let elements = try? value.decode([JSONValue].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .boolean(let boolean): try value.encode(boolean)
        case .number(let number):
            // Whole numbers without a point, as people write them.
            if let whole = Int64(exactly: number) { try value.encode(whole) } else { try value.encode(number) }
        case .string(let text): try value.encode(text)
        case .array(let elements): try value.encode(elements)
        case .object(let fields): try value.encode(fields)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .string(text) }
    package init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
    package init(floatLiteral number: Double) { self = .number(number) }
    package init(integerLiteral number: Int) { self = .number(Double(number)) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral fields: (String, JSONValue)...) {
        self = .object(Dictionary(fields) { $1 })
    }
}
