import TuttiCore
import TuttiEffects
import TuttiRealtime

/// Makes a file's blocks into what a player plays: its rate, without delay, and its channels, by the rules of
/// `RenderEdge`.
struct FileConverter {
    /// What a file gives when it does not keep to what it said.
    enum Failure: Error, Equatable {
        /// A block has another format than the file.
        case otherFormat(EngineFormat)
    }

    private let source: EngineFormat
    private let destination: EngineFormat
    private let resampler: PairResampler?

    init(from source: EngineFormat, to destination: EngineFormat) {
        self.source = source
        self.destination = destination
        resampler =
            source.sampleRate == destination.sampleRate
            ? nil : PairResampler(channels: source.channelCount, from: source.sampleRate, to: destination.sampleRate)
    }

    /// The next frames; nil when there are none yet.
    ///
    /// - Parameter isEnd: whether nothing follows.
    mutating func convert(_ block: PCMBlock, isEnd: Bool) throws -> PCMBuffer? {
        guard block.frameCount > 0 || isEnd else { return nil }
        var block = block
        if block.frameCount > 0,
            block.channelCount != source.channelCount || block.sampleRate != source.sampleRate
        {
            throw Failure.otherFormat(
                EngineFormat(sampleRate: block.sampleRate, channelCount: block.channelCount))
        }
        if let resampler { block = resampler.convert(block, isEnd: isEnd) }
        guard block.frameCount > 0 else { return nil }
        let input = try PCMBuffer(block)
        if source.channelCount == destination.channelCount { return input }
        let output = try PCMBuffer(format: destination, frameCapacity: block.frameCount)
        output.frameLength = block.frameCount
        if source.channelCount == 2, destination.channelCount == 1 {
            output.planes.mix(stereo: input.planes, frames: block.frameCount)
        } else {
            output.planes.copy(input.planes, frames: block.frameCount)
        }
        return output
    }
}

/// Resamplers of pairs of channels, whose first output frame is the first input frame.
final class PairResampler {
    private let resamplers: UnsafeMutablePointer<DriftResampler>
    private let pairCount: Int
    private let ratio: Double
    private let outputRate: Int
    private var waiting: [[Float]]
    private var framesIn: Int64 = 0
    private var framesOut: Int64 = 0

    init(channels: Int, from source: Int, to output: Int) {
        pairCount = (channels + 1) / 2
        ratio = Double(source) / Double(output)
        outputRate = output
        resamplers = .allocate(capacity: pairCount)
        waiting = Array(repeating: [], count: pairCount)
        for pair in 0..<pairCount {
            (resamplers + pair).initialize(
                to: DriftResampler(sourceRate: Double(source), outputRate: Double(output)))
            _ = resamplers[pair].setPhase(whole: 0, fraction: 0, firstAvailable: 0)
        }
    }

    deinit {
        resamplers.deinitialize(count: pairCount)
        resamplers.deallocate()
    }

    /// What can be made of the frames so far; all of it at the end.
    func convert(_ block: PCMBlock, isEnd: Bool) -> PCMBlock {
        let channels = block.channelCount
        framesIn += Int64(block.frameCount)
        let silence = isEnd ? 2 * resamplers[0].lookahead + 2 : 0
        let most = Int((Double(framesIn) / ratio).rounded(.up)) - Int(framesOut)
        var made: [[Float]] = []
        for pair in 0..<pairCount {
            for frame in 0..<block.frameCount {
                let first = frame * channels + 2 * pair
                waiting[pair].append(block.samples[first])
                waiting[pair].append(block.samples[2 * pair + 1 < channels ? first + 1 : first])
            }
            waiting[pair] += Array(repeating: 0, count: 2 * silence)
            var output = [Float](repeating: 0, count: 2 * max(0, most))
            let result = waiting[pair].withUnsafeBufferPointer { input in
                output.withUnsafeMutableBufferPointer {
                    resamplers[pair].process(input: input, output: $0, ratioStart: ratio, ratioEnd: ratio)
                }
            }
            waiting[pair].removeFirst(2 * result.consumed)
            made.append(Array(output.prefix(2 * result.produced)))
        }
        let frames = (made.first?.count ?? 0) / 2
        framesOut += Int64(frames)
        var samples = [Float](repeating: 0, count: frames * channels)
        for channel in 0..<channels {
            for frame in 0..<frames { samples[frame * channels + channel] = made[channel / 2][2 * frame + channel % 2] }
        }
        return PCMBlock(samples: samples, channelCount: channels, sampleRate: outputRate)
    }
}
