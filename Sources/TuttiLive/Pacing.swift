import TuttiCore

/// How much may be read of a source that may hold more than has sounded yet: as much as time has passed, and a little
/// more, so that a source with a fast clock of its own is never held up.
final class Pacing {
    /// How much faster than nominal a source with a clock of its own may be, as a plain ratio; and seconds that may
    /// come at once.
    private static let (fastest, burst) = (1.001, 0.1)
    /// Nanoseconds in which there was always more to read after which a source has no clock.
    private static let verdict: Int64 = 1_000_000_000

    private let sampleRate: Double
    private var allowed: Double
    private var last: HostTime?
    /// Since when there has always been more than might be read.
    private var fullSince: HostTime?
    /// Whether frames come as fast as they are read.
    private(set) var isUnpaced = false

    init(sampleRate: Int) {
        self.sampleRate = Double(sampleRate)
        allowed = Self.burst * Double(sampleRate)
    }

    /// Frames that may be read now.
    func allowance(at now: HostTime) -> Int {
        if let last {
            let seconds = Double(max(0, now.nanoseconds(since: last))) * 1e-9
            allowed += seconds * sampleRate * (isUnpaced ? 1 : Self.fastest)
            allowed = min(allowed, Self.burst * sampleRate)
        }
        last = now
        // A few at a time would keep a processor busy.
        return allowed >= sampleRate * 0.002 ? Int(allowed) : 0
    }

    /// So many frames have been read.
    ///
    /// - Parameter isFull: whether there was as much as might be read, and perhaps more.
    func took(_ frames: Int, at now: HostTime, isFull: Bool) {
        allowed -= Double(frames)
        guard isFull else {
            (fullSince, isUnpaced) = (nil, false)
            return
        }
        let since = fullSince ?? now
        fullSince = since
        if now.nanoseconds(since: since) > Self.verdict { isUnpaced = true }
    }
}
