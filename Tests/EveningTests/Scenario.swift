/// Something that people do of an evening, with one thing wrong in it.
struct Scenario: Sendable, CustomStringConvertible {
    /// One command, and what it must come to.
    struct Step: Sendable {
        let words: [String]
        let code: Int32
        /// Text that one line of it has; empty for any.
        let says: String
    }

    let name: String
    let steps: [Step]

    var description: String { name }

    init(_ name: String, _ steps: Step...) {
        self.name = name
        self.steps = steps
    }
}

/// A command that is done.
func done(_ words: String..., says: String = "") -> Scenario.Step {
    Scenario.Step(words: words, code: 0, says: says)
}

/// A command that is refused with an exit status, in one line.
func refused(_ code: Int32, _ words: String..., says: String) -> Scenario.Step {
    Scenario.Step(words: words, code: code, says: says)
}
