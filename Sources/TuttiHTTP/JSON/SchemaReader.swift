import TuttiSchema

/// Finds the schema of a type by reading a value of it: what the type asks its decoder for is what its JSON has. So the
/// document cannot differ from the types.
package enum SchemaReader {
    /// The schema of a type.
    ///
    /// - Throws: what the type throws when every number is zero, every text empty and every list of one element.
    package static func schema<Value: Decodable>(of type: Value.Type) throws -> Schema { try read(type).schema }

    /// Types that the document shows once, by name.
    private static let names: [(type: any Any.Type, name: String)] = [
        (PlayerStatus.self, "PlayerStatus"), (RoomStatus.self, "RoomStatus"), (QueueListing.self, "QueueListing"),
        (ScheduleListing.self, "Schedule"), (PlayOrder.self, "PlayOrder"), (ControlInput.self, "Input"),
    ]

    /// A value of a type, and the type's schema.
    fileprivate static func read<Value: Decodable>(_ type: Value.Type) throws -> (value: Value, schema: Schema) {
        if let plain = plain(type) as? (Value, Schema) { return plain }
        let node = Node()
        let value = try Value(from: ShapeDecoder(node: node))
        var schema = node.schema
        if let name = names.first(where: { $0.type == type })?.name { schema = .named(name, schema) }
        return (value, schema)
    }

    /// The same for types that say nothing by themselves.
    private static func plain<Value: Decodable>(_ type: Value.Type) -> Any? {
        func pair<Plain>(_ value: Plain, _ schema: Schema) -> Any { (value, schema) as (Plain, Schema) }
        let natural = 0...0x1p53
        switch type {
        case is Bool.Type: return pair(false, .boolean)
        case is String.Type: return pair("", .string())
        case is Double.Type: return pair(0.0, .number())
        case is Int.Type: return pair(0, .integer())
        case is Int32.Type: return pair(Int32(0), .integer())
        case is Int64.Type: return pair(Int64(0), .integer())
        case is UInt64.Type: return pair(UInt64(0), .integer(natural))
        case is LoadedRanges.Type:
            return pair(LoadedRanges(), .array(.array(.number(), counts: 2...2)))
        case is RoomEvent.Type: return pair(RoomEvent.connected, .string())
        case is JSONValue.Type: return pair(JSONValue.null, .anything)
        default:
            if let map = type as? any MapShape.Type { return map.shape }
            if let words = type as? any (CaseIterable & RawRepresentable & Decodable).Type { return shape(of: words) }
            return nil
        }
    }

    private static func shape<Word: CaseIterable & RawRepresentable & Decodable>(of type: Word.Type) -> Any? {
        let words = type.allCases.compactMap { $0.rawValue as? String }
        guard let first = type.allCases.first, !words.isEmpty else { return nil }
        return (first, .string(among: words)) as (Word, Schema)
    }
}

private protocol MapShape { static var shape: Any? { get } }

extension Dictionary: MapShape where Key == String, Value: Decodable {
    fileprivate static var shape: Any? {
        guard let schema = try? SchemaReader.schema(of: Value.self) else { return nil }
        return ([:], .map(schema)) as ([String: Value], Schema)
    }
}

/// What one value was asked for. Confined to one call of `SchemaReader.read`.
private final class Node {
    var schema = Schema.anything
    private var fields = Schema.Fields()

    func add(_ name: String, _ field: Schema, isRequired: Bool) {
        fields.known[name] = isRequired ? field : .nullable(field)
        if isRequired { fields.required.insert(name) }
        schema = .object(fields)
    }

    func beginObject() { schema = .object(fields) }
}

private struct ShapeDecoder: Decoder {
    let node: Node
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        node.beginObject()
        return KeyedDecodingContainer(FieldReader<Key>(node: node))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { ElementReader(node: node) }

    func singleValueContainer() -> any SingleValueDecodingContainer { ValueReader(node: node) }
}

private final class FieldReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let node: Node
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []
    /// The field that the next reading is about, if it may be missing: whoever reads such a field asks first whether it
    /// is there and is not null.
    private var optional: String?

    init(node: Node) { self.node = node }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool {
        optional = key.stringValue
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let (value, schema) = try SchemaReader.read(type)
        node.add(key.stringValue, schema, isRequired: optional != key.stringValue)
        optional = nil
        return value
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw unsupported(key) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw unsupported(key) }

    func superDecoder() throws -> any Decoder { ShapeDecoder(node: node) }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw unsupported(key) }

    private func unsupported(_ key: Key) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: "no shape is known for nested containers")
    }
}

/// A list of one element.
private struct ElementReader: UnkeyedDecodingContainer {
    let node: Node
    let codingPath: [any CodingKey] = []
    let count: Int? = 1
    private(set) var currentIndex = 0

    init(node: Node) { self.node = node }

    var isAtEnd: Bool { currentIndex > 0 }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (value, schema) = try SchemaReader.read(type)
        node.schema = .array(schema)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { ShapeDecoder(node: node).container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }

    mutating func superDecoder() -> any Decoder { ShapeDecoder(node: node) }
}

private struct ValueReader: SingleValueDecodingContainer {
    let node: Node
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (value, schema) = try SchemaReader.read(type)
        node.schema = schema
        return value
    }
}
