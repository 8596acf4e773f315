/// The household's commands that wait for their turn: one runs at a time, so that they are run in the order of what
/// happened.
package struct HookQueue: Sendable {
    /// Commands that wait at most.
    package static let mostWaiting = 16

    private var waiting: [HookPlan.Call] = []

    /// Nothing waits.
    package init() {}

    /// Adds a command. A volume takes the place of an older one of the same room; where too many wait the oldest goes.
    ///
    /// - Returns: whether one had to go.
    package mutating func add(_ call: HookPlan.Call) -> Bool {
        if call.occasion == .volume {
            waiting.removeAll { $0.occasion == .volume && $0.fields["TUTTI_ROOM"] == call.fields["TUTTI_ROOM"] }
        }
        waiting.append(call)
        guard waiting.count > Self.mostWaiting else { return false }
        waiting.removeFirst()
        return true
    }

    /// Takes the next one; nil if none waits.
    package mutating func next() -> HookPlan.Call? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
