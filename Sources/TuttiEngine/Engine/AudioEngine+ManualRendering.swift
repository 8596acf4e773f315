import Synchronization

extension AudioEngine {
    /// Who asks for frames, and how.
    public enum ManualRenderingMode: Sendable, Hashable {
        /// `renderOffline`, as fast as it can be done: the same calls give the same frames.
        case offline
        /// `manualRenderingBlock`, from a thread that must not be kept waiting.
        case realtime
    }

    /// What became of a render call.
    public enum ManualRenderingStatus: Sendable, Hashable {
        /// All frames are there.
        case success
        /// The input node's block has not given enough; nothing was rendered.
        case insufficientDataFromInputNode
        /// Another call is under way, or the engine is not running at the moment; nothing was rendered.
        case cannotDoInCurrentContext
        /// Nothing can be rendered.
        case error
    }

    /// Renders from memory to memory: for as long as it is played or not.
    public typealias ManualRenderingBlock =
        @Sendable (_ frameCount: Int, _ buffer: PCMBuffer) -> ManualRenderingStatus

    /// Has the engine render when it is asked to, in place of its output.
    ///
    /// - Parameters:
    ///   - mode: who asks for frames, and how.
    ///   - format: what is rendered.
    ///   - maximumFrameCount: the most frames of one call, 1 … 65 536.
    /// - Throws: `running`, `invalidFormat` or `invalidFrameCount`.
    public func enableManualRendering(
        _ mode: ManualRenderingMode, format: EngineFormat, maximumFrameCount: Int
    ) throws(AudioEngineError) {
        guard format.isValid else { throw .invalidFormat(format) }
        guard Limits.frameCounts.contains(maximumFrameCount) else {
            throw .invalidFrameCount(maximumFrameCount, maximum: Limits.frameCounts.upperBound)
        }
        try state.withLock { state throws(AudioEngineError) in
            guard state.run == .stopped else { throw .running }
            state.manual = Manual(mode: mode, format: format, maximumFrameCount: maximumFrameCount)
        }
    }

    /// Has the engine render for its output again.
    ///
    /// - Throws: `running`.
    public func disableManualRendering() throws(AudioEngineError) {
        try state.withLock { state throws(AudioEngineError) in
            guard state.run == .stopped else { throw .running }
            state.manual = nil
        }
    }

    /// Whether it renders manually.
    public var isInManualRenderingMode: Bool { state.withLock { $0.manual != nil } }
    /// The mode of manual rendering; nil without one.
    public var manualRenderingMode: ManualRenderingMode? { state.withLock { $0.manual?.mode } }
    /// What is rendered; nil without manual rendering.
    public var manualRenderingFormat: EngineFormat? { state.withLock { $0.manual?.format } }
    /// The most frames of one call; 0 without manual rendering.
    public var manualRenderingMaximumFrameCount: Int { state.withLock { $0.manual?.maximumFrameCount ?? 0 } }
    /// Frames rendered since the start.
    public var manualRenderingSampleTime: Int64 { core.shared.pointee.sampleTime.load(ordering: .acquiring) }

    /// Renders the next frames into a buffer. Handlers of taps and players are called before it returns.
    ///
    /// - Throws: `notInManualMode`, `notRunning`, `invalidFrameCount`, or `unsuitableBuffer`.
    @discardableResult
    public func renderOffline(
        _ frameCount: Int, to buffer: PCMBuffer
    ) throws(AudioEngineError) -> ManualRenderingStatus {
        let (manual, run, nodes) = state.withLock { ($0.manual, $0.run, $0.ordered) }
        guard let manual, manual.mode == .offline else { throw .notInManualMode(.offline) }
        guard run == .running else { throw .notRunning }
        guard (1...manual.maximumFrameCount).contains(frameCount) else {
            throw .invalidFrameCount(frameCount, maximum: manual.maximumFrameCount)
        }
        guard buffer.format == manual.format, buffer.frameCapacity >= frameCount else {
            throw .unsuitableBuffer(format: manual.format, capacity: frameCount)
        }
        guard !isRenderingOffline.exchange(true, ordering: .acquiringAndReleasing) else {
            return .cannotDoInCurrentContext
        }
        defer { isRenderingOffline.store(false, ordering: .releasing) }
        for node in nodes { node.feed(isOffline: true) }
        let status = core.render(frameCount, into: buffer.planes)
        buffer.frameLength = status == .success ? frameCount : 0
        collect(nodes)
        deliver(nodes, at: manualRenderingSampleTime)
        return status
    }

    /// What renders in the mode `.realtime`: it allocates nothing and takes no lock. It may be called by one thread at a
    /// time, whether or not the engine runs, and keeps what it needs alive.
    ///
    /// - Throws: `notInManualMode` in another mode.
    public var manualRenderingBlock: ManualRenderingBlock {
        get throws(AudioEngineError) {
            guard let manual = state.withLock({ $0.manual }), manual.mode == .realtime else {
                throw .notInManualMode(.realtime)
            }
            let (core, format, maximum) = (core, manual.format, manual.maximumFrameCount)
            return { frameCount, buffer in
                guard frameCount > 0, frameCount <= maximum, frameCount <= buffer.frameCapacity, buffer.format == format
                else { return .error }
                let status = core.render(frameCount, into: buffer.planes)
                buffer.frameLength = status == .success ? frameCount : 0
                return status
            }
        }
    }
}
