/// A change of several rooms' volume that keeps the balance between them, beyond the ends of the scale too.
package enum VolumeBalance {
    /// The levels after a step: one below 0 or above 100 plays as those, and comes back when the others do.
    ///
    /// The step ends where the loudest room reaches 0, or the softest 100: beyond that nothing would change.
    package static func moved(_ levels: [Double], by step: Double) -> [Double] {
        guard let softest = levels.min(), let loudest = levels.max() else { return [] }
        let bounded = step < 0 ? max(step, min(0, -loudest)) : min(step, max(0, 100 - softest))
        return levels.map { $0 + bounded }
    }
}
