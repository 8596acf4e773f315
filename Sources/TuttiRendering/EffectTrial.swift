import Glibc
import TuttiCore
package import TuttiEffects
import TuttiRealtime

/// Why effects are not set.
package enum EffectTrialError: Error, Sendable, Equatable {
    /// They cannot be made.
    case unusable(EffectError)
    /// What they need is not there; says what, for people.
    case unavailable(String)
    /// They take more of a processor than there may be; both as shares of one.
    case tooSlow(load: Double, limit: Double)
    /// They make sound louder than a room's speakers and ears can be asked to bear; both in dB.
    case tooLoud(gain: Double, limit: Double)
    /// They are later than an output can be early; both in seconds.
    case tooLate(latency: Double, limit: Double)
}

extension EffectTrialError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unusable(let error): "\(error)"
        case .unavailable(let what): what
        case .tooSlow(let load, let limit):
            "these effects take \(Self.percent(load)) of a processor here, and \(Self.percent(limit)) is the most; "
                + "use fewer filters or a shorter impulse response"
        case .tooLoud(let gain, let limit):
            "these effects make sound \(Int(gain.rounded())) dB louder, and \(Int(limit)) dB is the most; "
                + "put a `gain` in front"
        case .tooLate(let latency, let limit):
            "these effects are \(Int((latency * 1_000).rounded())) ms late, and \(Int((limit * 1_000).rounded())) ms is "
                + "the most; use a shorter or a minimum-phase impulse response"
        }
    }

    private static func percent(_ share: Double) -> String { "\(Int(min(share * 100, 9_999).rounded(.up))) %" }
}

/// A second of noise through a processor, before anybody hears it: what it costs, and how loud it comes out.
package struct EffectTrial {
    /// The most of a processor that effects may take: the rest of the speaker needs some, and so may other rooms.
    package static let maximumLoad = 0.5
    /// The most that noise may come out louder, in dB.
    package static let maximumGain = 24.0
    /// Channels that a chain may have inside.
    private static let channels = 8
    /// Seconds of latency that are waited for, and nanoseconds of sound after which a trial may be given up.
    private static let (longestLatency, shortest) = (4, Int64(200_000_000))
    /// RMS of the noise.
    private static let level: Float = 0.1

    /// What share of a processor it takes.
    package let load: Double
    /// How much louder noise comes out, in dB.
    package let gain: Double
    private let shape: AudioProcessor.Shape
    private let latency: Int

    /// Tries a processor that nobody uses yet; it is to be reset afterwards.
    package init(_ processor: AudioProcessor) {
        (shape, latency) = (processor.shape, processor.latency)
        let memory = PlaneMemory(channels: Self.channels, frames: shape.maximumFrames)
        let (nanoseconds, frames, energy) = Self.run(processor, memory.planes)
        load = Double(nanoseconds) / 1e9 * Double(shape.sampleRate) / Double(max(1, frames))
        gain = 20 * log10(max(energy.squareRoot(), 1e-12) / Double(Self.level))
    }

    /// - Returns: processor time, frames that were processed in it, and the mean square of what came out.
    private static func run(
        _ processor: AudioProcessor, _ planes: Planes
    ) -> (nanoseconds: Int64, frames: Int, energy: Double) {
        let (shape, period) = (processor.shape, processor.shape.maximumFrames)
        let unheard = min(max(0, processor.latency), longestLatency * shape.sampleRate)
        var (frames, heard, energy) = (0, 0, 0.0)
        var random = SplitMix64(seed: 1)
        var nanoseconds: Int64 = 0
        while frames < unheard + shape.sampleRate {
            for channel in 0..<shape.channelCount {
                for frame in 0..<period {
                    // Even noise over ±√3 of the level has that level.
                    let unit = Float(Int32(truncatingIfNeeded: random.next() >> 32)) * 0x1p-31
                    planes[channel][frame] = unit * level * 1.732_050_8
                }
            }
            let began = processorTime()
            processor.process(planes, frames: period)
            nanoseconds += processorTime() - began
            frames += period
            let sound = Int64(frames) * 1_000_000_000 / Int64(shape.sampleRate)
            // What takes much too long is not tried to the end.
            if sound > shortest, Double(nanoseconds) > 2 * maximumLoad * Double(sound) { break }
            guard frames > unheard else { continue }
            for channel in 0..<processor.outputChannelCount {
                for frame in 0..<period { energy += Double(planes[channel][frame] * planes[channel][frame]) }
            }
            heard += period * processor.outputChannelCount
        }
        return (nanoseconds, frames, energy / Double(max(1, heard)))
    }

    /// - Throws: when it costs too much, is too loud or too late.
    package func check() throws(EffectTrialError) {
        guard load <= Self.maximumLoad else { throw .tooSlow(load: load, limit: Self.maximumLoad) }
        guard gain <= Self.maximumGain else { throw .tooLoud(gain: gain, limit: Self.maximumGain) }
        guard latency <= EffectSlot.maximumLatency else {
            let rate = Double(shape.sampleRate)
            throw .tooLate(latency: Double(latency) / rate, limit: Double(EffectSlot.maximumLatency) / rate)
        }
    }

    /// Nanoseconds of the processor that this thread has had.
    private static func processorTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
