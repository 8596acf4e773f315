package import TuttiCore

/// What sort of card, which says how it reports its position.
package enum OutputKind: String, Sendable, Hashable, CaseIterable {
    /// Software: positions are exact.
    case virtual
    /// An on-board codec (HDA).
    case hda
    /// USB audio: positions move in steps of up to a millisecond.
    case usb
    /// Anything else.
    case unknown
}

/// What a device really does, read back after it was opened: the only values to work with.
package struct OutputParameters: Sendable, Hashable {
    /// How many channels a device may have; stereo is mapped to them.
    package static let channelCounts = 1...32

    /// Frames a second, nominal.
    package var sampleRate: Int
    /// Interleaved channels.
    package var channelCount: Int
    /// The form of a sample.
    package var sampleType: SampleLayout
    /// Frames between two wake-ups.
    package var periodFrames: Int
    /// Frames that the device holds.
    package var bufferFrames: Int
    /// The device as it was asked for.
    package var name: String
    /// The sort of card.
    package var kind: OutputKind

    /// Parameters of the given values.
    package init(
        sampleRate: Int, channelCount: Int, sampleType: SampleLayout, periodFrames: Int, bufferFrames: Int,
        name: String, kind: OutputKind
    ) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.sampleType = sampleType
        self.periodFrames = periodFrames
        self.bufferFrames = bufferFrames
        self.name = name
        self.kind = kind
    }

    /// Bytes of one interleaved frame.
    package var bytesPerFrame: Int { channelCount * sampleType.bytesPerSample }
}

/// What is asked of a device. All values but the name are hints.
package struct OutputRequest: Sendable, Hashable {
    /// Rates that are asked for, in Hz.
    package static let sampleRates = 8_000...192_000

    /// An ALSA PCM ("default", "hw:0,0", "plug:dmix"),
    /// `file:PATH.wav[?rate=48000&bits=16|24|32|32f&channels=2&ppm=80&period=480&buffer=1920]` or `null[?…]`; with
    /// `#3-4` behind it some channels of it (`ChannelRange`).
    package var device: String
    /// All channels that the device has, rather than two.
    package var wantsAllChannels = false
    /// In Hz: the source's rate saves a conversion.
    package var preferredSampleRate: Int
    /// Significant bits of a sample.
    package var preferredBitDepth: Int
    /// Length of a period, in ns: the least time between two wake-ups.
    package var preferredIOBufferDuration: Int64
    /// Time that the device holds, in ns.
    package var bufferDuration: Int64

    /// A request; by default 48 kHz, 24 bits, periods of 10 ms in a buffer of 50 ms.
    package init(
        device: String, preferredSampleRate: Int = 48_000, preferredBitDepth: Int = 24,
        preferredIOBufferDuration: Int64 = 10_000_000, bufferDuration: Int64 = 50_000_000
    ) {
        self.device = device
        self.preferredSampleRate = preferredSampleRate
        self.preferredBitDepth = preferredBitDepth
        self.preferredIOBufferDuration = preferredIOBufferDuration
        self.bufferDuration = bufferDuration
    }

    /// `duration` in frames at `rate`; 16 … 2²⁰ frames.
    static func frames(in duration: Int64, at rate: Int) -> Int {
        let clamped = min(max(duration, 0), 5_000_000_000)
        return min(max(Int(clamped) * min(max(rate, 1), 1_000_000) / 1_000_000_000, 16), 1 << 20)
    }
}
