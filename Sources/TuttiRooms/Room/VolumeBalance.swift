/// A change of several rooms' volume that keeps the balance between them, beyond the ends of what each can be set to.
package enum VolumeBalance {
    /// The levels after a step: one beyond the ends of its range plays as those, and comes back when the others do.
    ///
    /// The step ends where the last room reaches the end of its range: beyond that nothing would change.
    ///
    /// - Parameter ranges: what each room can be set to.
    package static func moved(_ levels: [Double], by step: Double, within ranges: [ClosedRange<Double>]) -> [Double] {
        let rooms = zip(levels, ranges)
        guard let above = rooms.map({ $1.upperBound - $0 }).max(), let below = rooms.map({ $0 - $1.lowerBound }).max()
        else { return [] }
        let bounded = step < 0 ? max(step, min(0, -below)) : min(step, max(0, above))
        return levels.map { $0 + bounded }
    }
}
