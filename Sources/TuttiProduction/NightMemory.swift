import TuttiCore

/// The night stage between the tracks of a timeline: one that has heard the end of a track continues with the next.
/// Used by the producer's thread.
final class NightMemory {
    private var kept: (stage: NightStage, end: MediaTime)?

    /// The stage that has heard the timeline up to `time`; nil when none has. Whoever takes it has it alone.
    func take(_ sampleRate: Int, at time: MediaTime) -> NightStage? {
        defer { kept = nil }
        guard let kept, kept.stage.sampleRate == sampleRate, kept.end == time else { return nil }
        return kept.stage
    }

    /// Keeps a stage that has heard the timeline up to `time`.
    func keep(_ stage: NightStage, at time: MediaTime) { kept = (stage, time) }
}
