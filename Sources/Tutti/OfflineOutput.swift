import Synchronization
public import TuttiCore
public import TuttiPlayback
import TuttiRealtime

/// Plays into memory instead of a card: whoever owns it pulls the frames, as fast as they can be made.
///
/// Its clock stands still between two calls of `render` and moves by the frames that are made. What is due by that
/// clock (requests for data, time observers, commands at a host time) happens inside `render`, at its frame. So the
/// same calls always give the same frames. Audio of the output's own rate comes out bit for bit where nothing fades.
public final class OfflineOutput: Sendable {
    /// The most frames of one call of `render`.
    public static let maximumFrameCount = 1 << 20
    /// Frames that are made at a time.
    static let periodFrames = 480

    private struct State {
        var ports: [OfflinePort] = []
        var sampleTime: Int64 = 0
        var isRendering = false
    }

    /// Frames a second.
    public let sampleRate: Int
    /// What synchronizers that play here run on.
    public let clock: PlaybackClock
    private let depth: Duration
    private let flushMargin: Duration
    private let state = Mutex(State())

    /// An output of stereo frames.
    ///
    /// - Parameters:
    ///   - sampleRate: 8 000 … 192 000.
    ///   - depth: how much its route wants ahead of the playhead, 0.25 s … 1 h.
    ///   - flushMargin: how far ahead of the playhead a flush must begin, 0 … 10 s.
    /// - Throws: `invalidRendering` for another sample rate.
    public init(
        sampleRate: Int = 48_000, depth: Duration = .seconds(4), flushMargin: Duration = .milliseconds(100)
    ) throws(PlaybackError) {
        guard AudioFormat.Limits.sampleRates.contains(sampleRate) else {
            throw .invalidRendering("an offline output renders at 8000 to 192000 Hz, not \(sampleRate)")
        }
        self.sampleRate = sampleRate
        self.depth = depth
        self.flushMargin = flushMargin
        clock = PlaybackClock(manualStart: HostTime(nanoseconds: 0))
    }

    /// The way here for renderers.
    public var route: PlaybackRoute { route(depth: depth) }

    /// The way here, with another depth than the output's own.
    public func route(depth: Duration) -> PlaybackRoute {
        PlaybackRoute(
            id: "offline", name: "Offline", kind: .offline,
            traits: RouteTraits(depth: depth / .seconds(1), flushMargin: Int64((flushMargin / .nanoseconds(1)))),
            clock: clock
        ) { [self] _ throws(PlaybackError) in
            let port = OfflinePort(output: self)
            state.withLock { $0.ports.append(port) }
            return port
        }
    }

    /// Frames made so far.
    public var sampleTime: Int64 { state.withLock { $0.sampleTime } }

    /// The host time, by `clock`, of the frame that comes next.
    public var hostTime: HostTime { hostTime(ofFrame: sampleTime) }

    /// The host time, by `clock`, of a frame, rounded down to a nanosecond.
    public func hostTime(ofFrame frame: Int64) -> HostTime {
        HostTime(nanoseconds: Int64(Int128(frame) * 1_000_000_000 / Int128(sampleRate)))
    }

    /// Makes the next frames: interleaved stereo.
    ///
    /// - Throws: `invalidRendering` for a count outside 0 … `maximumFrameCount`, or from inside a call that `render`
    ///   makes.
    public func render(_ frameCount: Int) throws(PlaybackError) -> PCMBlock {
        guard (0...Self.maximumFrameCount).contains(frameCount) else {
            throw .invalidRendering(
                "\(frameCount) frames cannot be rendered at once; ask for 0 to \(Self.maximumFrameCount)")
        }
        let begins = state.withLock { state in
            defer { state.isRendering = true }
            return !state.isRendering
        }
        guard begins else { throw .invalidRendering("the output is already rendering") }
        defer { state.withLock { $0.isRendering = false } }
        var samples = [Float](repeating: 0, count: 2 * frameCount)
        var made = 0
        while made < frameCount {
            clock.advance(to: hostTime)
            let count = min(frameCount - made, framesUntilNextCall())
            renderPeriod(count, into: &samples, at: made)
            made += count
        }
        clock.advance(to: hostTime)
        return PCMBlock(samples: samples, channelCount: 2, sampleRate: sampleRate)
    }

    /// Frames up to the one at which something is due, at most a period's.
    private func framesUntilNextCall() -> Int {
        guard let due = clock.deadline else { return Self.periodFrames }
        let frame = (Int128(due.nanoseconds) * Int128(sampleRate) + 999_999_999) / 1_000_000_000
        return Int(min(max(frame - Int128(sampleTime), 1), Int128(Self.periodFrames)))
    }

    private func renderPeriod(_ count: Int, into samples: inout [Float], at offset: Int) {
        let (ports, start) = state.withLock { ($0.ports, $0.sampleTime) }
        let scaled = Int128(start) * 1_000_000_000
        let rest = Double(Int64(scaled % Int128(sampleRate))) / Double(sampleRate)
        let period = RenderPeriod(
            frameCount: count, groupNanoseconds: Int64(scaled / Int128(sampleRate)), groupFraction: rest,
            groupNanosecondsPerFrame: 1e9 / Double(sampleRate))
        for port in ports { port.add(period, to: &samples, at: offset) }
        state.withLock { $0.sampleTime += Int64(count) }
    }

    func remove(_ port: OfflinePort) {
        state.withLock { state in state.ports.removeAll { $0 === port } }
    }
}
