import CLibYAML

/// Reads YAML, event by event.
struct YAMLEvents: ~Copyable {
    /// The parser points into the content: both stay where they are.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let content: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: [UInt8]) {
        parser = .allocate(capacity: 1)
        content = .allocate(capacity: bytes.count)
        _ = content.initialize(from: bytes)
        guard yaml_parser_initialize(parser) == 1 else { return }
        yaml_parser_set_input_string(parser, content.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        content.deallocate()
    }

    /// The next event, and its line counted from 1; `.end` again and again at the end.
    ///
    /// - Throws: `YAMLFlaw`.
    mutating func next() throws(YAMLFlaw) -> (event: YAMLEvent, line: Int) {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else {
            let problem = parser.pointee.problem.map { String(cString: $0) } ?? "there is not enough memory"
            throw YAMLFlaw(line: Self.line(parser.pointee.problem_mark), reason: "this is no YAML: \(problem)")
        }
        defer { yaml_event_delete(&event) }
        return (Self.meaning(of: event), Self.line(event.start_mark))
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

    private static func line(_ mark: yaml_mark_t) -> Int { Int(clamping: mark.line) + 1 }
}
