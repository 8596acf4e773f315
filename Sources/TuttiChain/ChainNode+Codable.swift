extension ChainNode: Codable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Lists and tables in each other, at most, whatever they stand in.
    private static let maximumDepth = 64

    package init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.maximumDepth else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "lists and tables are nested too deeply"))
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self.init(.null)
        } else if let number = try? value.decode(Double.self) {
            self.init(.number(number))
        } else if let text = try? value.decode(String.self) {
            self.init(.text(text))
        } else if let flag = try? value.decode(Bool.self) {
            self.init(.flag(flag))
        } else if var list = try? decoder.unkeyedContainer() {
            var nodes: [ChainNode] = []
            while !list.isAtEnd { nodes.append(try list.decode(ChainNode.self)) }
            self.init(.list(nodes))
        } else {
            let table = try decoder.container(keyedBy: Key.self)
            // The order of a decoder's keys is by chance; that of errors is not.
            let keys = table.allKeys.sorted { $0.stringValue < $1.stringValue }
            self.init(.table(try keys.map { Entry($0.stringValue, try table.decode(ChainNode.self, forKey: $0)) }))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch content {
        case .list(let nodes):
            var container = encoder.unkeyedContainer()
            for node in nodes { try container.encode(node) }
        case .table(let entries):
            var container = encoder.container(keyedBy: Key.self)
            for entry in entries { try container.encode(entry.value, forKey: Key(stringValue: entry.name)) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .flag(let flag):
            var container = encoder.singleValueContainer()
            try container.encode(flag)
        case .number(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case .text(let text), .scalar(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    /// What `read` makes of the value in JSON, with its errors as a decoder's.
    static func decode<Value>(
        _ decoder: any Decoder, _ read: (ChainNode) throws(ChainError) -> Value
    ) throws -> Value {
        let node = try ChainNode(from: decoder)
        do {
            return try read(node)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
        }
    }
}

extension EffectChain: Codable {
    /// Reads `{"effects": […]}`.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with a `ChainError` as `underlyingError` for effects, fields and values
    ///   that there are not.
    public init(from decoder: any Decoder) throws {
        self = try ChainNode.decode(decoder) { (node) throws(ChainError) in
            let chain = try EffectChain(node)
            try chain.validate()
            return chain
        }
    }

    /// Writes `{"effects": […]}`, with every field.
    public func encode(to encoder: any Encoder) throws {
        try ChainNode(.table([.init("effects", .init(.list(effects.map(\.node))))])).encode(to: encoder)
    }
}

extension Effect: Codable {
    /// Reads a table of one name, such as `{"limiter": {"ceiling": -1}}`.
    ///
    /// - Throws: As `EffectChain`'s.
    public init(from decoder: any Decoder) throws {
        self = try ChainNode.decode(decoder) { (node) throws(ChainError) in
            let effect = try Effect(node)
            try effect.validate()
            return effect
        }
    }

    /// Writes a table of one name, with every field.
    public func encode(to encoder: any Encoder) throws { try node.encode(to: encoder) }
}

extension EQBand: Codable {
    /// Reads a table of fields; `gain` and `q` may be absent.
    ///
    /// - Throws: As `EffectChain`'s.
    public init(from decoder: any Decoder) throws {
        self = try ChainNode.decode(decoder) { (node) throws(ChainError) in
            let band = try EQBand(node, "filter")
            try band.validate()
            return band
        }
    }

    /// Writes a table of all fields.
    public func encode(to encoder: any Encoder) throws { try node.encode(to: encoder) }
}

extension ChannelMatrix: Codable {
    /// Reads a name, such as `"left"`, or rows of gains.
    ///
    /// - Throws: As `EffectChain`'s.
    public init(from decoder: any Decoder) throws {
        self = try ChainNode.decode(decoder) { (node) throws(ChainError) in
            let matrix = try ChannelMatrix(node)
            try matrix.validate()
            return matrix
        }
    }

    /// Writes the matrix's name, or else its rows.
    public func encode(to encoder: any Encoder) throws { try node.encode(to: encoder) }
}
