/// A command that a sender has answered.
package struct Acknowledgement: Sendable, Equatable, Codable {
    /// When the answer came, in nanoseconds since the beginning.
    package var at: Int64
    package var group: String
    package var command: UserCommand
    /// Why it was refused; nil when it was done.
    package var refusal: String?
    /// The group as the answer has it, or as it stood then.
    package var state: GroupState

    /// An answer.
    package init(at: Int64, group: String, command: UserCommand, refusal: String? = nil, state: GroupState) {
        self.at = at
        self.group = group
        self.command = command
        self.refusal = refusal
        self.state = state
    }
}
