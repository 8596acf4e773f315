import CLibYAML

/// Reads YAML, event by event.
package struct YAMLEvents: ~Copyable {
    private let parser: YAMLParser

    /// - Parameter bytes: the whole of a file.
    package init(_ bytes: [UInt8]) { parser = YAMLParser(bytes) }

    /// The next event, and its line counted from 1; `.end` again and again at the end.
    ///
    /// - Throws: `YAMLFlaw`.
    package mutating func next() throws(YAMLFlaw) -> (event: YAMLEvent, line: Int) {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser.state, &event) == 1 else { throw parser.flaw }
        defer { yaml_event_delete(&event) }
        return (Self.meaning(of: event), YAMLParser.line(event.start_mark))
    }

    private static func meaning(of event: yaml_event_t) -> YAMLEvent {
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            return .text(
                String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self))
        case YAML_SEQUENCE_START_EVENT: return .list
        case YAML_SEQUENCE_END_EVENT: return .endOfList
        case YAML_MAPPING_START_EVENT: return .table
        case YAML_MAPPING_END_EVENT: return .endOfTable
        case YAML_ALIAS_EVENT: return .alias
        case YAML_NO_EVENT, YAML_STREAM_END_EVENT: return .end
        default: return .start
        }
    }
}
