/// One step of an `EffectChain`, as it is set. What is computed for it is in the processors; what it may be set to is in
/// the `Limits` of each type, and `EffectChain.validate` checks it.
public enum Effect: Sendable, Hashable {
    /// Louder or softer, in dB (−120 … 24).
    case gain(Double)
    /// A mix of the channels.
    case channels(ChannelMatrix)
    /// Filters one after the other; 1 … 128.
    case equalizer([EQBand])
    /// A convolution with an impulse response.
    case convolution(Convolution)
    /// Reverberation.
    case reverb(Reverb)
    /// Echoes, or a plain delay.
    case delay(Delay)
    /// Less difference between loud and soft.
    case compressor(Compressor)
    /// A ceiling that no peak exceeds.
    case limiter(Limiter)
    /// A little of each side on the other, for headphones.
    case crossfeed(Crossfeed)
    /// One side of a crossover, in all channels: a Linkwitz-Riley filter.
    case crossover(Crossover)
}

/// A convolution with an impulse response.
public struct Convolution: Sendable, Hashable {
    /// The name of the impulse response: a path where a person writes a chain, the SHA-256 of its content (64
    /// hexadecimal digits) in a room. 1 … 1 024 bytes of UTF-8 without control characters.
    public var impulse: String
    /// Decibels that the convolved sound is raised by, −60 … 24.
    public var gain: Double
    /// Whether the sound must not be later than without the effect. Costs more.
    public var hasZeroLatency: Bool
    /// What people call the impulse response, such as the name of its file; it changes no sound. 0 … 80 bytes of UTF-8
    /// without control characters; empty for none.
    public var name: String

    /// A convolution.
    public init(impulse: String, gain: Double = 0, hasZeroLatency: Bool = false, name: String = "") {
        self.impulse = impulse
        self.gain = gain
        self.hasZeroLatency = hasZeroLatency
        self.name = name
    }
}

/// Reverberation: a feedback delay network behind a short pre-delay.
public struct Reverb: Sendable, Hashable {
    /// Rooms, after AVAudioUnitReverbPreset.
    public enum Preset: String, Sendable, Hashable, Codable, CaseIterable {
        case smallRoom, mediumRoom, largeRoom, mediumHall, largeHall, plate, cathedral
    }

    /// The room.
    public var preset: Preset
    /// How much of what is heard is reverberation, 0 (dry) … 100 (wet) per cent.
    public var wetDryMix: Double

    /// Reverberation.
    public init(_ preset: Preset = .mediumHall, wetDryMix: Double = 30) {
        self.preset = preset
        self.wetDryMix = wetDryMix
    }
}

/// A delay, with feedback where it echoes.
public struct Delay: Sendable, Hashable {
    /// Seconds, 0 … 5.
    public var time: Double
    /// Share of the output that returns to the input, −99 … 99 per cent.
    public var feedback: Double
    /// How much of what is heard is delayed sound, 0 … 100 per cent.
    public var wetDryMix: Double

    /// A delay; a plain one by default.
    public init(time: Double, feedback: Double = 0, wetDryMix: Double = 100) {
        self.time = time
        self.feedback = feedback
        self.wetDryMix = wetDryMix
    }
}

/// A compressor: what is louder than the threshold is turned down, all channels alike.
public struct Compressor: Sendable, Hashable {
    /// Where it begins, in dBFS (−60 … 0).
    public var threshold: Double
    /// Decibels in for a decibel out above the threshold, 1 … 100.
    public var ratio: Double
    /// Decibels around the threshold in which it comes in gradually, 0 … 24.
    public var knee: Double
    /// Seconds to come in, 0.0001 … 1.
    public var attack: Double
    /// Seconds to let go, 0.01 … 5.
    public var release: Double
    /// Decibels that everything is raised by afterwards, 0 … 24.
    public var makeUpGain: Double

    /// A compressor.
    public init(
        threshold: Double = -20, ratio: Double = 3, knee: Double = 6, attack: Double = 0.01, release: Double = 0.2,
        makeUpGain: Double = 0
    ) {
        self.threshold = threshold
        self.ratio = ratio
        self.knee = knee
        self.attack = attack
        self.release = release
        self.makeUpGain = makeUpGain
    }
}

/// A limiter that looks ahead: no true peak (ITU-R BS.1770, 4 × oversampled) exceeds the ceiling.
public struct Limiter: Sendable, Hashable {
    /// dBTP, −40 … 0.
    public var ceiling: Double
    /// Seconds to let go, 0.01 … 5.
    public var release: Double

    /// A limiter.
    public init(ceiling: Double = -1, release: Double = 0.1) {
        self.ceiling = ceiling
        self.release = release
    }
}

/// Crossfeed after Bauer: what lies low of each side is also heard on the other, softer and a little later.
public struct Crossfeed: Sendable, Hashable {
    /// Corner of the low pass in Hz, 300 … 2 000.
    public var frequency: Double
    /// How much softer the other side is at low frequencies, in dB (1 … 15).
    public var level: Double

    /// Crossfeed.
    public init(frequency: Double = 700, level: Double = 4.5) {
        self.frequency = frequency
        self.level = level
    }
}

/// One side of a Linkwitz-Riley crossover. Both sides of one frequency and order add up to an all-pass.
public struct Crossover: Sendable, Hashable {
    /// Which side.
    public enum Side: String, Sendable, Hashable, Codable, CaseIterable {
        /// What lies below, for a subwoofer.
        case low
        /// What lies above.
        case high
    }

    /// The side.
    public var side: Side
    /// Hz, 20 … 20 000.
    public var frequency: Double
    /// Decibels an octave: 12, 24 or 48.
    public var slope: Int

    /// One side.
    public init(_ side: Side, frequency: Double, slope: Int = 24) {
        self.side = side
        self.frequency = frequency
        self.slope = slope
    }
}
