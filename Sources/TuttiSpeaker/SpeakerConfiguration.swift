package import TuttiOutput
package import TuttiRendering

/// The configuration of a speaker at its start.
package struct SpeakerConfiguration: Sendable {
    /// The room's name, as senders and people see it.
    package var name: String
    /// An ALSA PCM, `file:PATH.wav` or `null`.
    package var device: String
    /// TCP port to listen on; 1 … 65 535.
    package var port: UInt16
    /// The address to listen on; nil means all of this host's.
    package var bindAddress: String?
    /// Where identity, volume and what was learned about clock and card are kept.
    package var stateDirectory: String
    /// How much audio senders may load ahead of the playhead, in seconds; 1 … 3600.
    package var bufferSeconds: Double
    /// The most encoded bytes held, whatever their duration.
    package var bufferBytes: Int
    /// How late this output is heard, in milliseconds (an amplifier that adds 100 ms: +100); nil keeps the stored
    /// value.
    package var outputDelayMilliseconds: Double?
    /// Whether to announce the speaker by mDNS.
    package var announces: Bool
    /// Whether the announcement has the room's name; without it, only senders of the household learn it.
    package var announcesName = true
    /// Whether the drift correction is on; without it equal rates pass bit for bit and rooms drift apart.
    package var correctsDrift: Bool

    /// What shows the pictures of what plays; nil where there is no screen.
    package var pictures: (any PictureOutput)?
    /// Where figures are served to Prometheus, a numeric address or a name and a port; nil for nowhere.
    package var metrics: (address: String, port: Int)?
    /// Who may claim a speaker that is nobody's.
    package var claim = ClaimPolicy.first
    /// Whether the speaker is there for players of this process alone: it gives nobody the time, and locks no memory of
    /// a program that is more than a speaker.
    package var isPrivate = false
    /// Who sets how loud the device is.
    package var mixer = MixerChoice.software
    /// When an output device that nobody needs is let go.
    package var release = DeviceUse.Release.afterSenders
    /// The loudest that it plays, 0 … 100, whoever asks for more.
    package var maxVolume = 100.0
    /// The volumes that it can be set to.
    package var volumeRange: ClosedRange<Double> { mixer == .none ? maxVolume...maxVolume : 0...maxVolume }
    /// How loud a speaker is that has never run, 0 … 100: moderate, so that a first sound is not a loud one.
    package var firstVolume = 60.0

    /// Seconds of audio that an overlay may load ahead, and its most encoded bytes; less where the owner has less.
    static let overlayBufferSeconds = 30.0
    static let overlayBufferBytes = 16 << 20
    /// Encoded bytes held unless told otherwise: five minutes of 24-bit 96 kHz FLAC.
    package static let defaultBufferBytes = 192 << 20

    /// A configuration with the usual values for whatever is left out.
    package init(
        name: String, device: String = "default", port: UInt16 = 7700, bindAddress: String? = nil,
        stateDirectory: String, bufferSeconds: Double = 300, bufferBytes: Int = Self.defaultBufferBytes,
        outputDelayMilliseconds: Double? = nil, announces: Bool = true, correctsDrift: Bool = true
    ) {
        self.name = name
        self.device = device
        self.port = port
        self.bindAddress = bindAddress
        self.stateDirectory = stateDirectory
        self.bufferSeconds = bufferSeconds
        self.bufferBytes = bufferBytes
        self.outputDelayMilliseconds = outputDelayMilliseconds
        self.announces = announces
        self.correctsDrift = correctsDrift
    }
}
