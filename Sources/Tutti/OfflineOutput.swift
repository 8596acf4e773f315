import Synchronization
public import TuttiCore
import TuttiEffects
public import TuttiEngine
public import TuttiPlayback

/// Plays into memory instead of a card: whoever owns it pulls the frames, as fast as they can be made.
///
/// It is an `AudioEngine` that renders manually, with the renderers' sound as one of its sources. Its clock stands still
/// between two calls of `render` and moves by the frames that are made. What is due by that clock (requests for data, time
/// observers, commands at a host time) happens inside `render`, at its frame. So the same calls always give the same
/// frames. Audio of the output's own rate comes out bit for bit where nothing fades, and the engine has no more nodes.
public final class OfflineOutput: Sendable {
    /// The most frames of one call of `render`.
    public static let maximumFrameCount = 1 << 20
    /// When a call of `render` has so many bytes of decoded pictures, it ends before the frames asked for.
    public static let maximumPictureBytes = 128 << 20
    /// The most frames that the engine makes at a time.
    static let engineFrames = 4_096

    /// Frames a second.
    public let sampleRate: Int
    /// What synchronizers that play here run on.
    public let clock: PlaybackClock
    /// What makes the frames: attach taps and nodes to it, and connect `rendererNode` to what the sound of the renderers is
    /// to go through. It runs.
    public let engine: AudioEngine
    /// The sound of all renderers that play here; connected to the engine's main mixer at first.
    public let rendererNode: SourceNode
    private let renderers: OfflineRenderers
    private let depth: Duration
    private let flushMargin: Duration
    /// What the engine fills; for whoever renders.
    private let buffer: PCMBuffer
    private let isRendering = Atomic<Bool>(false)

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
        let renderers = OfflineRenderers(sampleRate: sampleRate, clock: clock, maximumFrames: Self.engineFrames)
        self.renderers = renderers
        let format = EngineFormat(sampleRate: sampleRate)
        rendererNode = SourceNode(format: format, name: "renderers") { _, frames, planes in
            renderers.render(frames, into: planes)
        }
        engine = AudioEngine()
        do throws(AudioEngineError) {
            buffer = try PCMBuffer(format: format, frameCapacity: Self.engineFrames)
            try engine.enableManualRendering(.offline, format: format, maximumFrameCount: Self.engineFrames)
            try engine.attach(rendererNode)
            try engine.connect(rendererNode, to: engine.mainMixerNode)
            try engine.start()
        } catch {
            throw .invalidRendering("\(error)")
        }
    }

    /// The way here for renderers.
    public var route: PlaybackRoute { route(depth: depth) }

    /// The way here, with another depth than the output's own.
    public func route(depth: Duration) -> PlaybackRoute {
        PlaybackRoute(
            id: "offline", name: "Offline", kind: .offline,
            traits: RouteTraits(depth: depth / .seconds(1), flushMargin: Int64((flushMargin / .nanoseconds(1)))),
            clock: clock
        ) { [renderers] _ throws(PlaybackError) in OfflinePort(renderers) }
    }

    /// Frames made so far.
    public var sampleTime: Int64 { renderers.sampleTime }

    /// The host time, by `clock`, of the frame that comes next.
    public var hostTime: HostTime { hostTime(ofFrame: sampleTime) }

    /// The host time, by `clock`, of a frame, rounded down to a nanosecond.
    public func hostTime(ofFrame frame: Int64) -> HostTime { renderers.hostTime(ofFrame: frame) }

    /// Makes the next frames: interleaved stereo.
    ///
    /// - Throws: `invalidRendering` for a count outside 0 … `maximumFrameCount`, from inside a call that `render` makes,
    ///   and when the engine was stopped or its input node has no data.
    public func render(_ frameCount: Int) throws(PlaybackError) -> PCMBlock {
        try rendering(frameCount) { () throws(PlaybackError) in
            var samples: [Float] = []
            samples.reserveCapacity(2 * frameCount)
            while samples.count < 2 * frameCount {
                try append(min(frameCount - samples.count / 2, Self.engineFrames), to: &samples)
            }
            return PCMBlock(samples: samples, channelCount: 2, sampleRate: sampleRate)
        }
    }

    /// Makes the next frames, and gives the pictures that are seen from one of these on. No picture comes too late: where
    /// one is lacking the frames end, with `lacksPictures`, until it has been enqueued.
    ///
    /// The renderer's pictures are asked for, and decoded, as the time comes near. A block ends early too when its pictures
    /// take more than `maximumPictureBytes`; ask for the rest with another call. When no more pictures come, call
    /// `finishMediaData` on the renderer. A client that it asks on an executor or a queue brings pictures between two calls.
    ///
    /// - Parameters:
    ///   - frameCount: 0 … `maximumFrameCount`.
    ///   - video: a renderer on a synchronizer with this output's clock. Its sink is told as well.
    /// - Throws: `otherClock` for a renderer of another clock; otherwise as `render`.
    public func render(_ frameCount: Int, with video: VideoRenderer) throws(PlaybackError) -> OfflineBlock {
        guard video.clock === clock else { throw .otherClock }
        return try rendering(frameCount) { () throws(PlaybackError) in
            var samples: [Float] = []
            var pictures: [OfflinePicture] = []
            var (pictureBytes, lacksPictures) = (0, false)
            while samples.count < 2 * frameCount, pictureBytes < Self.maximumPictureBytes {
                video.update()
                clock.advance(to: hostTime)
                // What is due by the clock is so between two such spans, so that all is known of each.
                let count = min(frameCount - samples.count / 2, renderers.framesUntilNextCall(), sampleRate / 100)
                let start = sampleTime
                lacksPictures = !video.isSettled(until: hostTime(ofFrame: start + Int64(count)))
                if lacksPictures { break }
                try append(count, to: &samples)
                let new = video.pictures(in: start..<sampleTime, sampleRate: sampleRate)
                pictureBytes += new.reduce(0) { $0 + VideoStore.Picture.decoded($1.frame).byteCount }
                pictures += new
            }
            let sound = PCMBlock(samples: samples, channelCount: 2, sampleRate: sampleRate)
            return OfflineBlock(sound: sound, pictures: pictures, lacksPictures: lacksPictures)
        }
    }

    /// Renders unless somebody else does.
    private func rendering<Block>(
        _ frameCount: Int, _ body: () throws(PlaybackError) -> Block
    ) throws(PlaybackError) -> Block {
        guard (0...Self.maximumFrameCount).contains(frameCount) else {
            throw .invalidRendering(
                "\(frameCount) frames cannot be rendered at once; ask for 0 to \(Self.maximumFrameCount)")
        }
        guard !isRendering.exchange(true, ordering: .acquiringAndReleasing) else {
            throw .invalidRendering("the output is already rendering")
        }
        defer { isRendering.store(false, ordering: .releasing) }
        return try body()
    }

    /// Has the engine make so many frames.
    private func append(_ count: Int, to samples: inout [Float]) throws(PlaybackError) {
        let status: AudioEngine.ManualRenderingStatus
        do throws(AudioEngineError) {
            status = try engine.renderOffline(count, to: buffer)
        } catch {
            throw .invalidRendering("\(error)")
        }
        switch status {
        case .success: samples += buffer.block.samples
        case .insufficientDataFromInputNode:
            throw .invalidRendering("the engine's input node has no data; what was rendered before is lost")
        case .cannotDoInCurrentContext: throw .invalidRendering("the output is already rendering")
        case .error: throw .invalidRendering("the engine cannot render")
        }
    }

    /// Makes the next frames in a buffer of the engine's own kind, after AVAudioEngine.
    ///
    /// - Parameters:
    ///   - frameCount: 1 … 4 096.
    ///   - buffer: stereo at the output's rate, with room for them.
    /// - Throws: `AudioEngineError`, as `AudioEngine.renderOffline`.
    public func renderOffline(
        _ frameCount: Int, to buffer: PCMBuffer
    ) throws(AudioEngineError) -> AudioEngine.ManualRenderingStatus {
        try engine.renderOffline(frameCount, to: buffer)
    }
}
