import TuttiCore
import TuttiPlayback
import TuttiRendering

/// A port that renders its programme itself, with the machinery of a speaker.
protocol ProgrammePort: RoutePort {
    var programme: Programme { get }
    /// What its lines are on.
    var clock: PlaybackClock { get }
}

extension ProgrammePort {
    func insert(_ buffer: SampleBuffer) {
        programme.trimBehindPlayhead(at: HostTimeline.group(clock.now()))
        _ = programme.insert(buffer)
    }

    func reconsider(from time: MediaTime) { programme.reconsider(from: time) }

    func set(_ line: Timebase) { programme.set(line) }

    func flush(from time: MediaTime?, completion: @escaping @Sendable (Bool) -> Void) {
        _ = programme.flush(from: time)
        completion(true)
    }

    func setEnd(_ time: MediaTime) { programme.setEnd(time) }
}
