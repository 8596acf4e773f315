import CLibYAML

/// LibYAML's parser with the content that it reads, which stay where they are: the parser points into the content.
struct YAMLParser: ~Copyable {
    let state: UnsafeMutablePointer<yaml_parser_t>
    private let content: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: [UInt8]) {
        state = .allocate(capacity: 1)
        content = .allocate(capacity: bytes.count)
        _ = content.initialize(from: bytes)
        guard yaml_parser_initialize(state) == 1 else { return }
        yaml_parser_set_input_string(state, content.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(state)
        state.deallocate()
        content.deallocate()
    }

    /// Why the last step failed.
    var flaw: YAMLFlaw {
        let problem = state.pointee.problem.map { String(cString: $0) } ?? "out of memory"
        return YAMLFlaw(line: Self.line(state.pointee.problem_mark), reason: problem)
    }

    /// Counted from 1.
    static func line(_ mark: yaml_mark_t) -> Int { Int(clamping: mark.line) + 1 }
}
