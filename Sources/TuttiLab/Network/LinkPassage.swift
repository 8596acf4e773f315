/// How a frame gets through one direction of a port.
package struct LinkPassage: Sendable, Equatable {
    /// When it leaves.
    package var due: Int64
    /// When it leaves once more; nil when it comes once.
    package var copyDue: Int64?
    /// Held back: later frames may leave before it.
    package var isHeldBack = false
}
