import TuttiAssets
import TuttiChain
import TuttiEngine

/// The engine's graph for one pass: players → mixer → chain → output, rendered manually. Frame 0 that comes out is the
/// inputs' frame 0: what the chain makes later is made up for.
final class ExportGraph {
    /// Frames of one call.
    static let blockFrames = 8_192

    private let engine = AudioEngine()
    private let inputs: [ExportInput]
    private let isMix: Bool
    private let sampleRate: Int
    private let buffer: PCMBuffer
    /// Frames at the beginning that are not the sound yet.
    private var lead: Int
    /// Frames after the inputs' end.
    let tail: Int64
    /// Frames given out.
    private(set) var frameCount: Int64 = 0
    private var interleaved = [Float](repeating: 0, count: 2 * ExportGraph.blockFrames)

    /// A graph that is ready to render.
    ///
    /// - Parameter tap: called with what comes out of the mixer, after each block.
    init(
        _ source: ExportSource, inputs: [ExportInput], chain: EffectChain,
        tap: (@Sendable (PCMBuffer) -> Void)? = nil
    ) throws(ExportError) {
        self.inputs = inputs
        (isMix, sampleRate) = (source.isMix, source.sampleRate)
        let format = EngineFormat(sampleRate: source.sampleRate, channelCount: 2)
        let node = EffectChainNode(chain, impulses: source.impulses)
        do throws(AudioEngineError) {
            buffer = try PCMBuffer(format: format, frameCapacity: Self.blockFrames)
            try engine.enableManualRendering(.offline, format: format, maximumFrameCount: Self.blockFrames)
            try engine.attach(node)
            try engine.connect(engine.mainMixerNode, to: node)
            try engine.connect(node, to: engine.outputNode)
            let players = try Self.players(engine, inputs, isMix: source.isMix, format)
            if let tap {
                try engine.mainMixerNode.installTap(bufferSize: Self.blockFrames) { buffer, _ in tap(buffer) }
            }
            try engine.start()
            for player in players { try player.play() }
        } catch {
            if case .invalidEffect(_, let reason) = error { throw .chain(reason) }
            throw .engine(error.description)
        }
        lead = node.latency
        tail = Self.tailFrames(chain, source, node)
    }

    deinit { engine.stop() }

    /// A player for each input of a mix, or one for all.
    private static func players(
        _ engine: AudioEngine, _ inputs: [ExportInput], isMix: Bool, _ format: EngineFormat
    ) throws(AudioEngineError) -> [PlayerNode] {
        var players: [PlayerNode] = []
        for input in inputs {
            if isMix || players.isEmpty {
                let player = PlayerNode()
                try engine.attach(player)
                try engine.connect(player, to: engine.mainMixerNode, format: format)
                players.append(player)
            }
            try players[players.count - 1].scheduleFile(input)
        }
        return players
    }

    /// Filters ring for a moment too; that is cut off, so that a filtered track is as long as it was.
    private static func tailFrames(_ chain: EffectChain, _ source: ExportSource, _ node: EffectChainNode) -> Int64 {
        let goesOn = chain.effects.contains { effect in
            switch effect {
            case .reverb, .delay, .convolution: true
            default: false
            }
        }
        let most = (source.tail ?? (goesOn ? ExportSource.usualTail : 0)) * Double(source.sampleRate)
        return min(Int64(most), Int64(max(0, node.tail - node.latency)))
    }

    /// Frames that will come out, tail included, once all inputs have been read to their ends; nil before.
    var totalFrameCount: Int64? {
        var total: Int64 = 0
        for input in inputs {
            guard let count = input.frameCount else { return nil }
            let converted = Self.converted(count, from: input.format.sampleRate, to: sampleRate)
            total = isMix ? max(total, converted) : total + converted
        }
        return total + tail
    }

    /// As many frames as the engine makes of a file at another rate.
    static func converted(_ frames: Int64, from rate: Int, to other: Int) -> Int64 {
        rate == other ? frames : Int64((Double(frames) / (Double(rate) / Double(other))).rounded(.up))
    }

    /// The next interleaved frames; nil at the end.
    ///
    /// - Throws: `.input` where one cannot be read to its end.
    func next<Result>(
        _ body: (UnsafeBufferPointer<Float>) throws(ExportError) -> Result
    ) throws(ExportError) -> Result? {
        while true {
            if let total = totalFrameCount, frameCount >= total { return nil }
            let status: AudioEngine.ManualRenderingStatus
            do throws(AudioEngineError) {
                status = try engine.renderOffline(Self.blockFrames, to: buffer)
            } catch {
                throw .engine(error.description)
            }
            guard status == .success else { throw .engine("the graph gave no frames") }
            for input in inputs {
                if let failure = input.failure { throw .input(failure) }
            }
            let skipped = min(lead, Self.blockFrames)
            lead -= skipped
            var count = Self.blockFrames - skipped
            if let total = totalFrameCount { count = Int(min(Int64(count), max(0, total - frameCount))) }
            guard count > 0 else { continue }
            interleave(from: skipped, count)
            frameCount += Int64(count)
            return try interleaved.withUnsafeBufferPointer { (samples) throws(ExportError) in
                try body(UnsafeBufferPointer(rebasing: samples[..<(2 * count)]))
            }
        }
    }

    private func interleave(from start: Int, _ count: Int) {
        let (left, right) = (buffer.channel(0), buffer.channel(1))
        interleaved.withUnsafeMutableBufferPointer { samples in
            for frame in 0..<count {
                samples[2 * frame] = left[start + frame]
                samples[2 * frame + 1] = right[start + frame]
            }
        }
    }
}
