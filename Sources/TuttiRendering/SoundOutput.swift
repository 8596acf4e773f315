package import TuttiOutput

/// What plays a speaker's streams, as far as the rest of the speaker has to do with it.
package protocol SoundOutput: AnyObject, Sendable {
    /// What it tells, and is told, all the time.
    var counters: RenderCounters { get }

    /// What the sound goes through.
    var effects: RoomEffects { get }

    /// What the device really does; nil until it has been open once.
    var actual: OutputParameters? { get }

    /// What is wrong with the device; empty when nothing is.
    var trouble: String { get }

    /// Opens the device, or lets it go.
    func setWanted(_ isWanted: Bool)
}
