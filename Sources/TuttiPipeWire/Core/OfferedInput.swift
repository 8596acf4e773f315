import TuttiHost

/// A node of PipeWire whose sound a service can have, as the option `--input` names it: `NODE` or `NAME=NODE`.
package struct OfferedInput: Sendable, Equatable {
    /// What an input calls it: `pipewire:NAME`.
    package let name: String
    /// The node's name: a source, a program's output, or a sink, of which it is what plays there.
    package let node: String

    /// How many there are at most.
    package static let most = 32

    /// Nil for what is none.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, let node = parts.last, SoundFolder.isName(name), !node.isEmpty else { return nil }
        (self.name, self.node) = (name, node)
    }
}
