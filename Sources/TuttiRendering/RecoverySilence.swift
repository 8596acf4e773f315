/// How much silence a run begins with after an xrun: long enough to see how the card runs, and no longer.
///
/// A card that counts frames as played when it is handed them has run dry again before one of them has left, if it
/// takes all that there are. Runs that end so soon are followed by one on twice as much.
package struct RecoverySilence {
    /// Milliseconds of the first one; steps of the pointer that it has to move by.
    private static let (milliseconds, steps) = (10, 2)
    /// A run of fewer milliseconds has ended at once.
    private static let brief: Int64 = 300

    private var last = 0

    /// Of a card that has not run dry yet.
    package init() {}

    /// Frames of silence for a card of `rate` frames a second that holds `buffer`; whole periods, so that it wakes as
    /// in other runs.
    ///
    /// - Parameters:
    ///   - period: frames between two wake-ups.
    ///   - step: frames by which its pointer moves at a time.
    ///   - ran: for how long the run before has lasted, in ns.
    package mutating func next(rate: Int, buffer: Int, period: Int, step: Int64, after ran: Int64) -> Int {
        let usual = max(rate * Self.milliseconds / 1_000, Int(min(step, Int64(buffer))) * Self.steps, 1)
        let wanted = last > 0 && ran < Self.brief * 1_000_000 ? max(2 * last, usual) : usual
        last = min((wanted + period - 1) / max(period, 1) * max(period, 1), buffer)
        return last
    }
}
