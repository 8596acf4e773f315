import TuttiCore
import TuttiPlayback
import TuttiRendering

/// A port that renders its stream itself, with the machinery of a speaker.
protocol RenderingPort: RoutePort {
    var stream: StreamBuffer { get }
    /// What its lines are on.
    var clock: PlaybackClock { get }
}

extension RenderingPort {
    func insert(_ buffer: SampleBuffer) {
        stream.trimBehindPlayhead(at: HostTimeline.group(clock.now()))
        _ = stream.insert(buffer)
    }

    func reconsider(from time: MediaTime) { stream.reconsider(from: time) }

    func set(_ line: Timebase) { stream.set(line) }

    func flush(from time: MediaTime?, completion: @escaping @Sendable (Bool) -> Void) {
        _ = stream.flush(from: time)
        completion(true)
    }

    func setEnd(_ time: MediaTime) { stream.setEnd(time) }
}
