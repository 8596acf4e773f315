package import TuttiClock
package import TuttiCore

/// Where live sound lies on the timeline: each frame as far behind the beginning as it was captured after the instant
/// that belongs to that, the *anchor*.
///
/// The timeline begins with silence, so that rooms can make ready before anything is captured that they are to play.
/// Behind that it follows the capture clock frame for frame. What does not come in time is silence, and what comes
/// later than that is left out. Sans-I/O.
package struct LiveTimeline: Sendable {
    /// What is to be encoded next.
    package enum Piece: Sendable, Equatable {
        /// So many frames of silence.
        case silence(frames: Int)
        /// Interleaved stereo.
        case sound([Float])
    }

    /// Frames that were captured.
    private struct Captured {
        var first: Int64
        var samples: [Float]
        var isAnew: Bool

        var count: Int64 { Int64(samples.count / 2) }
    }

    /// Seconds of silence at the beginning.
    package static let leadIn = 0.5
    /// Seconds beyond the latency that are kept while there is no anchor.
    private static let reserve = 0.5
    /// The longest silence that one gap is filled with, in seconds; a longer one makes the sound later instead.
    private static let longestGap: Int64 = 60
    /// Frames a second divided by this are the least silence that is filled in.
    private static let grain: Int64 = 100
    /// A source that gives nothing for so many seconds has paused.
    private static let pause = 0.5

    private let sampleRate: Int
    private let keptFrames: Int64
    /// Nanoseconds after its capture for which a frame is waited for.
    private var patience: Int64
    private var anchor: HostTime?
    /// What is to be added to a frame's number to have its place.
    private var shift: Int64?
    /// The place that was captured at an instant, when the source's clock was last known.
    private var reached: (instant: HostTime, place: Int64)?
    private var kept: [Captured] = []
    /// Frames of the timeline that have been given out.
    package private(set) var position: Int64 = 0
    /// Frames of silence in the place of what did not come in time; what nobody sent is not missing.
    package private(set) var missing: Int64 = 0
    /// Frames of silence since the last sound.
    private var gap: Int64 = 0
    /// Whether anything that was captured lies on it.
    private var hasSound = false
    /// Frames that came too late.
    package private(set) var late: Int64 = 0

    /// A timeline on which nothing lies.
    ///
    /// - Parameter latency: how long after its capture sound is heard, in ns.
    package init(sampleRate: Int, latency: Int64) {
        self.sampleRate = sampleRate
        patience = Self.patience(latency)
        keptFrames = Int64((Double(latency) * 1e-9 + Self.reserve) * Double(sampleRate))
    }

    /// The silence at the beginning.
    package mutating func begin() -> Piece {
        let frames = Int(Self.leadIn * Double(sampleRate))
        position = Int64(frames)
        return .silence(frames: frames)
    }

    /// What plays at the beginning is what was captured at `instant`.
    ///
    /// - Returns: what was captured before and is wanted.
    package mutating func anchor(at instant: HostTime, _ line: DACEstimate?) -> [Piece] {
        (anchor, shift, reached) = (instant, nil, (instant, 0))
        defer { kept = [] }
        guard let line else { return [] }
        var pieces: [Piece] = []
        for captured in kept { pieces += place(captured, line, at: instant) }
        return pieces
    }

    /// What is captured is heard so many ns later from now on.
    package mutating func wait(for latency: Int64) { patience = Self.patience(latency) }

    /// How long a frame is waited for, in ns. Below 200 ms rooms keep half of the latency in their cards, so that what
    /// comes later than this could not be played.
    private static func patience(_ latency: Int64) -> Int64 { latency < 200_000_000 ? latency / 4 : latency / 2 }

    /// Whether there is an anchor.
    package var isAnchored: Bool { anchor != nil }

    /// Sound has been captured.
    ///
    /// - Parameters:
    ///   - first: the number of its first frame on `line`.
    ///   - isAnew: whether frames before it do not lie right before it.
    package mutating func take(_ samples: [Float], first: Int64, isAnew: Bool, _ line: DACEstimate) -> [Piece] {
        let captured = Captured(first: first, samples: samples, isAnew: isAnew)
        guard let anchor else {
            keep(captured)
            return []
        }
        return place(captured, line, at: anchor)
    }

    /// Time has passed: what has not come by now is silence.
    package mutating func wait(until now: HostTime, _ line: DACEstimate?) -> [Piece] {
        // By its own clock: a slow source would be out of patience with itself after some minutes.
        if let line, let shift {
            let place = line.frame(atHostNanoseconds: now.nanoseconds, since: 0 &- shift)
            if abs(place) < 0x1p62 { reached = (now, Int64(place)) }
        }
        guard let reached else { return [] }
        let nanoseconds = Double(now.nanoseconds(since: reached.instant) - patience)
        let due = reached.place + Int64((nanoseconds * 1e-9 * Double(sampleRate)).rounded(.down))
        guard due - position >= Int64(sampleRate) / Self.grain else { return [] }
        let frames = min(due - position, Self.longestGap * Int64(sampleRate))
        gap += frames
        position += frames
        return [.silence(frames: Int(frames))]
    }

    /// When what lies at a place was captured.
    ///
    /// - Returns: nil where nothing that was captured lies on the timeline yet.
    package func capture(of place: Int64, _ line: DACEstimate) -> HostTime? {
        guard let shift else { return nil }
        return HostTime(nanoseconds: line.hostTime(ofFrame: place &- shift).nanoseconds)
    }

    private mutating func keep(_ captured: Captured) {
        if captured.isAnew { kept = [] }
        kept.append(captured)
        var count = kept.reduce(0) { $0 + $1.count }
        while count > keptFrames, let oldest = kept.first, count - oldest.count >= keptFrames {
            count -= oldest.count
            kept.removeFirst()
        }
    }

    private mutating func place(_ captured: Captured, _ line: DACEstimate, at anchor: HostTime) -> [Piece] {
        if captured.isAnew || shift == nil {
            let instant = line.hostTime(ofFrame: captured.first)
            let elapsed = Double(instant.nanoseconds &- anchor.nanoseconds) + instant.fraction
            shift = Int64((elapsed * line.framesPerNanosecond).rounded()) &- captured.first
        }
        guard let shift else { return [] }
        var (start, samples) = (captured.first &+ shift, captured.samples)
        if start < position {
            let count = min(position - start, captured.count)
            // Before the sound begins it is not late.
            if position > Int64(Self.leadIn * Double(sampleRate)) { late += count }
            samples.removeFirst(Int(count) * 2)
            start += count
        }
        guard !samples.isEmpty else { return [] }
        if hasSound, Double(gap) <= Self.pause * Double(sampleRate) { missing += gap }
        (gap, hasSound) = (0, true)
        var pieces: [Piece] = []
        if start > position {
            let gap = min(start - position, Self.longestGap * Int64(sampleRate))
            if gap < start - position { self.shift = shift - (start - position - gap) }
            pieces.append(.silence(frames: Int(gap)))
            position += gap
        }
        position += Int64(samples.count / 2)
        return pieces + [.sound(samples)]
    }
}
