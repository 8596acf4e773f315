/// A member of a clock that knows where another one is now.
package struct Acquaintance: Sendable, Hashable, Codable {
    package var machine: Machine
    package var other: Machine

    /// An acquaintance.
    package init(_ machine: Machine, with other: Machine) {
        self.machine = machine
        self.other = other
    }
}
