/// Whether one direction of the exchange with one peer goes by the hardware's stamps or by the kernel's.
///
/// The two differ by what driver and interrupt take, some tens of µs, and not the same in both directions. Taken in
/// turns they would look like a clock that jumps. So it takes many in a row to change from one to the other.
struct StampChoice: Sendable {
    /// Stamps in a row.
    static let persistence = 16

    /// Whether the hardware's are taken.
    private(set) var usesHardware = false
    private var run = 0

    /// A datagram had a usable stamp of the hardware, or none.
    mutating func note(hasHardware: Bool) {
        run = hasHardware == usesHardware ? 0 : run + 1
        if run >= Self.persistence { (usesHardware, run) = (hasHardware, 0) }
    }
}
