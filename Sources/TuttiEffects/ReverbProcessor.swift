import CKernels
import Glibc
package import TuttiChain

/// Reverberation: a feedback delay network of 32 lines, mixed by a Hadamard matrix, behind a pre-delay and four
/// all-passes in each channel.
///
/// Lines lose as much at each passage as their length asks for, so that all decay alike; high frequencies lose more
/// (`ReverbRoom` has the times). Nothing is modulated: the same input gives the same bytes. Noise that decays as 1 kHz
/// does comes out as loud as it went in. What is not a number, or 120 dB above full scale, is taken for silence.
package final class ReverbProcessor: AudioProcessor {
    /// What the mix may be, in per cent.
    private static let mixes = 0.0...100.0
    private static let lineCount = Int(TUTTI_REVERB_LINES)
    private static let allPassCount = Int(TUTTI_REVERB_ALLPASSES)
    /// The all-passes' coefficient.
    private static let diffusion: Float = 0.62
    /// Whether this processor has the wider instructions; asked once.
    private static let hasWide = tutti_has_wide() != 0

    private let isWide: Bool
    private let isDry: Bool
    private let network: UnsafeMutablePointer<tutti_reverb>
    private let lines: UnsafeMutablePointer<tutti_delay_line>
    private let lineTotal: Int
    private let frames: UnsafeMutablePointer<Float>
    private let frameTotal: Int
    /// Of the lines' filters.
    private let coefficients: UnsafeMutablePointer<Float>
    private let state: UnsafeMutablePointer<Float>
    private let inputGains: UnsafeMutablePointer<Float>
    /// No more frames at once than the shortest delay has.
    private let blockSize: Int
    private let decay: Int

    /// Reverberation.
    ///
    /// - Throws: `EffectError.settings` for a mix outside of 0 … 100 per cent.
    package init(_ settings: Reverb, _ shape: Shape) throws(EffectError) {
        guard Self.mixes.contains(settings.wetDryMix) else {
            throw .settings(.outOfRange(name: "wetDryMix", value: settings.wetDryMix, allowed: Self.mixes))
        }
        let room = ReverbRoom(settings.preset)
        let rate = Double(shape.sampleRate)
        let lengths = room.lineLengths(count: Self.lineCount, rate: rate)
        let preDelay = room.preDelay == 0 ? 0 : max(17, Int(room.preDelay * rate))
        let inputs = (0..<shape.channelCount).flatMap { channel in
            [preDelay] + room.allPassLengths(channel: channel, rate: rate)
        }
        isWide = Self.hasWide
        isDry = settings.wetDryMix == 0
        blockSize = min(Int(TUTTI_REVERB_BLOCK), (lengths + inputs).filter { $0 > 0 }.min() ?? 1)
        decay = Int(room.lowDecay * rate * 100 / 60) + preDelay + (lengths.last ?? 0) + inputs.reduce(0, max) * 8
        (lines, frames) = Self.makeLines(lengths + inputs)
        lineTotal = lengths.count + inputs.count
        frameTotal = (lengths + inputs).reduce(0, +)
        coefficients = .allocate(capacity: 3 * Self.lineCount)
        state = .allocate(capacity: 2 * Self.lineCount)
        state.initialize(repeating: 0, count: 2 * Self.lineCount)
        let kept = Self.setFilters(coefficients, of: room, lengths: lengths, rate: rate)
        inputGains = .allocate(capacity: shape.channelCount)
        for channel in 0..<shape.channelCount {
            // Channels take turns at the lines; each brings as much energy.
            let count = (Self.lineCount - channel + shape.channelCount - 1) / shape.channelCount
            let share = Double(Self.lineCount) / Double(shape.channelCount * count)
            (inputGains + channel).initialize(to: Float(share.squareRoot()))
        }
        let wet = settings.wetDryMix / 100
        network = .allocate(capacity: 1)
        network.initialize(
            to: tutti_reverb(
                lines: lines, inputs: lines + Self.lineCount, coefficients: coefficients, state: state,
                input_gains: inputGains, diffusion: Self.diffusion, dry: Float(1 - wet),
                wet: Float(wet * ((1 - kept) / (kept * Double(Self.lineCount))).squareRoot()),
                channels: shape.channelCount))
        super.init(shape)
    }

    deinit {
        network.deallocate()
        lines.deallocate()
        frames.deallocate()
        coefficients.deallocate()
        state.deallocate()
        inputGains.deallocate()
    }

    /// 100 dB of the longest decay.
    package override var tail: Int { isDry ? 0 : decay }

    package override func process(_ planes: Planes, frames: Int) {
        guard !isDry else { return }
        var start = 0
        while start < frames {
            let count = min(blockSize, frames - start)
            if isWide {
                tutti_reverb_block_wide(network, planes.channels, start, count)
            } else {
                tutti_reverb_block(network, planes.channels, start, count)
            }
            start += count
        }
    }

    package override func reset() {
        frames.update(repeating: 0, count: frameTotal)
        state.update(repeating: 0, count: 2 * Self.lineCount)
        var line = 0
        while line < lineTotal {
            lines[line].position = 0
            line += 1
        }
    }

    /// Delays of the given frames, in one stretch of memory.
    private static func makeLines(
        _ lengths: [Int]
    ) -> (UnsafeMutablePointer<tutti_delay_line>, UnsafeMutablePointer<Float>) {
        let total = lengths.reduce(0, +)
        let frames = UnsafeMutablePointer<Float>.allocate(capacity: total)
        frames.initialize(repeating: 0, count: total)
        let lines = UnsafeMutablePointer<tutti_delay_line>.allocate(capacity: lengths.count)
        var next = frames
        for (index, length) in lengths.enumerated() {
            (lines + index).initialize(to: tutti_delay_line(frames: next, length: length, position: 0))
            next += length
        }
        return (lines, frames)
    }

    /// Writes the lines' filters; returns the share of the energy at 1 kHz that a passage leaves.
    private static func setFilters(
        _ coefficients: UnsafeMutablePointer<Float>, of room: ReverbRoom, lengths: [Int], rate: Double
    ) -> Double {
        coefficients.initialize(repeating: 0, count: 3 * lineCount)
        let angle = 2 * Double.pi * min(1_000, rate / 4) / rate
        var kept = 0.0
        for (index, length) in lengths.enumerated() {
            let (b0, b1, a) = room.filter(length: length, rate: rate)
            coefficients[index] = Float(b0)
            coefficients[lineCount + index] = Float(b1)
            coefficients[2 * lineCount + index] = Float(a)
            let numerator = b0 * b0 + b1 * b1 + 2 * b0 * b1 * cos(angle)
            kept += numerator / (1 + a * a - 2 * a * cos(angle)) / Double(lengths.count)
        }
        return kept
    }
}
