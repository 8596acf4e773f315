extension Schema {
    /// As JSON Schema 2020-12, with references to the schemas that have names.
    package var document: JSONValue {
        switch self {
        case .anything: [:]
        case .boolean: ["type": "boolean"]
        case .string(let among, let lengths):
            .object(
                Self.fields(
                    ("type", "string"),
                    ("enum", among.isEmpty ? nil : .array(among.map { .string($0) })),
                    ("minLength", lengths.map { .number(Double($0.lowerBound)) }),
                    ("maxLength", lengths.map { .number(Double($0.upperBound)) })))
        case .number(let range): Self.numeric("number", range)
        case .integer(let range): Self.numeric("integer", range)
        case .array(let element, let counts):
            .object(
                Self.fields(
                    ("type", "array"), ("items", element.document),
                    ("minItems", counts.map { .number(Double($0.lowerBound)) }),
                    ("maxItems", counts.map { .number(Double($0.upperBound)) })))
        case .map(let value): ["type": "object", "additionalProperties": value.document]
        case .object(let fields): fields.document
        case .nullable(let schema): ["anyOf": [schema.document, ["type": "null"]]]
        case .named(let name, _): ["$ref": .string("#/components/schemas/\(name)")]
        }
    }

    /// The schemas with names that this one refers to, also further down.
    package var named: [String: Schema] {
        switch self {
        case .array(let schema, _), .map(let schema), .nullable(let schema): schema.named
        case .named(let name, let schema): schema.named.merging([name: schema]) { $1 }
        case .object(let fields): fields.known.values.reduce(into: [:]) { $0.merge($1.named) { $1 } }
        default: [:]
        }
    }

    private static func numeric(_ type: String, _ range: ClosedRange<Double>?) -> JSONValue {
        .object(
            fields(
                ("type", .string(type)),
                ("minimum", range.map { .number($0.lowerBound) }), ("maximum", range.map { .number($0.upperBound) })))
    }

    fileprivate static func fields(_ fields: (String, JSONValue?)...) -> [String: JSONValue] {
        Dictionary(fields.compactMap { name, value in value.map { (name, $0) } }) { $1 }
    }
}

extension Schema.Fields {
    fileprivate var document: JSONValue {
        let exclusion = exclusive.isEmpty ? nil : JSONValue.array(exclusive.map { .string($0) })
        return .object(
            Schema.fields(
                ("type", "object"), ("properties", .object(known.mapValues(\.document))),
                ("required", required.isEmpty ? nil : .array(required.sorted().map { .string($0) })),
                ("additionalProperties", isOpen ? nil : false),
                ("minProperties", minimum == 0 ? nil : .number(Double(minimum))),
                ("not", exclusion.map { ["required": $0] })))
    }
}
