/// Holds a card's line against something else that the card says: when it wakes the program that waits for room.
///
/// No reading of the position is in that. A card wakes at the end of a period, so whoever is woken before the line says
/// that a period is over has a wrong line, and so has who is woken much later than ever before, however often. It
/// cannot tell more than wake-ups scatter by, nor than the pointer's step; and what wakes and position share, it cannot
/// tell at all.
package struct WakeWitness: Sendable {
    /// What wake-ups may be off by without meaning anything, ns; and how late they may be at best on a card that was
    /// never seen before.
    private static let tolerance = (known: 100e3, unknown: 1e6)
    /// Wake-ups whose earliest counts, and after how many such lots it is known how late the earliest one usually is.
    private static let (lot, lotsToKnow) = (100, 5)

    /// The least lateness in the lot that is being collected, and in the one before, ns.
    private var floor = Double.infinity
    private var count = 0
    private var lots = 0
    /// How late the earliest wake-ups are while nothing is wrong.
    private var usual: Double?
    private var least = Double.infinity
    /// How much later than by the line frames leave, if the last wake-ups are right, in ns; 0 as long as they do not
    /// speak against it.
    package private(set) var objection = 0.0

    package init() {}

    /// Another run has begun, on another line.
    package mutating func restart() {
        // Who was contradicted to the end has no standard to give.
        if lots >= Self.lotsToKnow, objection == 0 { usual = least }
        (floor, count, lots, least, objection) = (.infinity, 0, 0, .infinity, 0)
    }

    /// A wake-up: so many ns later than the line has it that the frame left for which the card wakes. RT.
    ///
    /// - Parameters:
    ///   - sigma: the line's own standard deviation, ns.
    ///   - step: how long the pointer's step lasts, ns.
    package mutating func observe(lateness: Double, sigma: Double, step: Double) {
        floor = min(floor, lateness)
        count += 1
        let margin = Self.tolerance.known + 4 * sigma + step
        let latest = usual.map { $0 + margin } ?? Self.tolerance.unknown + margin
        // One that is too early is enough; that all are late shows with the last of a lot.
        if floor < (usual ?? 0) - margin { objection = floor - (usual ?? 0) }
        guard count >= Self.lot else { return }
        if floor > latest {
            objection = floor - (usual ?? 0)
        } else if floor >= (usual ?? 0) - margin {
            objection = 0
            least = min(least, floor)
        }
        (floor, count, lots) = (.infinity, 0, lots + 1)
    }
}
