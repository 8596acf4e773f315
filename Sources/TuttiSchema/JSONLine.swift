import FoundationEssentials

/// Values as lines of JSON, and back.
package enum JSONLine {
    /// One line without its end; keys in alphabetical order.
    package static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return (try? encoder.encode(value)).map { Array($0) } ?? Array("{}".utf8)
    }

    /// The value in a line, or nil when it is not there.
    package static func decode<Value: Decodable>(_ line: some Sequence<UInt8>) -> Value? {
        try? JSONDecoder().decode(Value.self, from: Data(line))
    }
}
