/// A member of a clock that knows where another one is now.
package struct Acquaintance: Sendable, Hashable, Codable {
    package var machine: Machine
    package var other: Machine
}
