/// What a JSON value may be: the part of JSON Schema that this API needs. Bodies are checked against the same schema
/// that the OpenAPI document shows.
package indirect enum Schema: Sendable, Equatable {
    case anything
    case boolean
    /// A text; `among` lists the allowed ones, empty for any. Lengths are in Unicode scalars.
    case string(among: [String] = [], lengths: ClosedRange<Int>? = nil)
    case number(ClosedRange<Double>? = nil)
    case integer(ClosedRange<Double>? = nil)
    case array(Schema, counts: ClosedRange<Int>? = nil)
    /// An object of any keys with values of one kind.
    case map(Schema)
    case object(Fields)
    /// A value, or null.
    case nullable(Schema)
    /// A schema that the document shows once, under a name.
    case named(String, Schema)

    /// The fields of an object.
    package struct Fields: Sendable, Equatable {
        package var known: [String: Schema] = [:]
        package var required: Set<String> = []
        /// Whether other fields are allowed. Answers may grow; a body with an unknown field is a mistake.
        package var isOpen = true
        /// How many fields there must be at least.
        package var minimum = 0
        /// Fields of which only one may be there.
        package var exclusive: [String] = []

        package init() {}
    }

    /// The same without a name.
    private var bare: Schema { if case .named(_, let schema) = self { schema.bare } else { self } }

    /// An object's schema with these changes to its fields; of another schema, the same.
    package func changed(_ change: (inout Fields) -> Void) -> Schema {
        guard case .object(var fields) = bare else { return self }
        change(&fields)
        return .object(fields)
    }

    /// The same with unknown fields refused, also further down.
    package var closed: Schema {
        switch self {
        case .object(var fields):
            fields.known = fields.known.mapValues(\.closed)
            fields.isOpen = false
            return .object(fields)
        case .array(let element, let counts): return .array(element.closed, counts: counts)
        case .map(let value): return .map(value.closed)
        case .nullable(let schema): return .nullable(schema.closed)
        case .named(let name, let schema): return .named(name, schema.closed)
        default: return self
        }
    }

    // MARK: Checking

    /// What is wrong with a value, in one line; nil if nothing is.
    ///
    /// - Parameter place: where the value is, as in `order.inputs[0]`; empty for the whole body.
    package func fault(in value: JSONValue, at place: String = "") -> String? {
        func wrong(_ expected: String) -> String { "\(place.isEmpty ? "the body" : place) must be \(expected)" }
        switch (self, value) {
        case (.anything, _), (.boolean, .boolean), (.nullable, .null): return nil
        case (.boolean, _): return wrong("true or false")
        case (.string(let among, let lengths), .string(let text)):
            if !among.isEmpty, !among.contains(text) { return wrong("one of \(among.joined(separator: ", "))") }
            return Self.fault(text.unicodeScalars.count, lengths, "characters").map(wrong)
        case (.string, _): return wrong("a text")
        case (.number(let range), .number(let number)): return Self.fault(number, range).map(wrong)
        case (.number, _): return wrong("a number")
        case (.integer(let range), .number(let number)):
            guard number == number.rounded(), abs(number) < 0x1p62 else { return wrong("a whole number") }
            return Self.fault(number, range).map(wrong)
        case (.integer, _): return wrong("a whole number")
        case (.array(let element, let counts), .array(let elements)):
            if let fault = Self.fault(elements.count, counts, "elements").map(wrong) { return fault }
            for (index, value) in elements.enumerated() {
                if let fault = element.fault(in: value, at: "\(place)[\(index)]") { return fault }
            }
            return nil
        case (.array, _): return wrong("a list")
        case (.map(let schema), .object(let values)):
            return values.sorted { $0.key < $1.key }.lazy.compactMap { schema.fault(in: $0.value, at: $0.key) }.first
        case (.object(let fields), .object(let values)): return fields.fault(in: values, at: place)
        case (.map, _), (.object, _): return wrong("an object")
        case (.nullable(let schema), _), (.named(_, let schema), _): return schema.fault(in: value, at: place)
        }
    }

    private static func fault(_ number: Double, _ range: ClosedRange<Double>?) -> String? {
        guard let range, !range.contains(number) else { return nil }
        return "from \(text(range.lowerBound)) to \(text(range.upperBound))"
    }

    private static func fault(_ count: Int, _ range: ClosedRange<Int>?, _ unit: String) -> String? {
        guard let range, !range.contains(count) else { return nil }
        return "of \(range.lowerBound) to \(range.upperBound) \(unit)"
    }

    private static func text(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }
}

extension Schema.Fields {
    fileprivate func fault(in values: [String: JSONValue], at place: String) -> String? {
        let path = place.isEmpty ? "" : place + "."
        for name in required.sorted() where values[name] == nil { return "\(path)\(name) is missing" }
        if values.count < minimum { return "name at least one of \(known.keys.sorted().joined(separator: ", "))" }
        let given = exclusive.filter { values[$0] != nil }
        if given.count > 1 { return "name one of \(given.joined(separator: ", ")), not both" }
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let schema = known[name] else {
                if isOpen { continue }
                return "\(path)\(name) is not known here"
            }
            if let fault = schema.fault(in: value, at: path + name) { return fault }
        }
        return nil
    }
}
