/// Something that always holds in a house, whatever happens to it.
package protocol Invariant: Sendable {
    /// Its name in messages and in the documentation.
    static var name: String { get }

    /// Before the beginning of a run.
    init(_ scenario: Scenario)

    /// Looks at a house, after what happened to it since the look before.
    ///
    /// - Parameter calm: since when things have been quiet, this moment included.
    /// - Returns: where it does not hold.
    mutating func check(_ moment: Moment, calm: Calm) -> [Violation]
}

extension Invariant {
    static func violation(_ at: Int64, _ machine: Machine? = nil, _ message: String) -> Violation {
        Violation(invariant: name, at: at, machine: machine, message: message)
    }
}
