import TuttiChain

extension EffectError {
    /// Checks one effect's settings against their limits, which `TuttiChain` alone knows.
    static func check(_ effect: Effect) throws(EffectError) {
        do { try effect.validate() } catch { throw .settings(error) }
    }
}
