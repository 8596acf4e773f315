/// Whether night mode is on, and whether it was for what comes before on the timeline.
package struct NightMode: Sendable, Equatable {
    /// Whether there is to be less difference between loud and soft.
    package var isOn: Bool
    /// Whether it was so up to where a work item begins: a short crossfade leads from one to the other.
    package var wasOn: Bool

    /// Night mode, on or off; `wasOn` is as `isOn` when left out.
    package init(_ isOn: Bool, after wasOn: Bool? = nil) {
        self.isOn = isOn
        self.wasOn = wasOn ?? isOn
    }

    /// Whether anything is to be processed.
    var isHeard: Bool { isOn || wasOn }
}
