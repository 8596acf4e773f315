package import TuttiCore

/// A speaker's answer to the hello of a control connection: who it is and what it can do.
package struct Welcome: Sendable, Equatable {
    /// The speaker's id, the same for as long as it is installed.
    package var id: String
    /// The room's name, for people.
    package var name: String
    /// The protocol version of the speaker.
    package var version: Int
    /// Ties the media connection to this one.
    package var session: String
    /// Seconds of audio that the speaker wants ahead of its playhead.
    package var bufferSeconds: Double
    /// Payload bytes that the speaker has room for.
    package var bufferBytes: UInt64
    /// Codecs that it decodes, best first.
    package var codecs: [String]
    /// Codings of pictures that it shows; none where there is no screen.
    package var pictureCodecs: [String]
    /// The output device, for people.
    package var device: String
    /// The format that the device runs with, as in `48000:24:2`; empty while no device is open.
    package var deviceFormat: String
    /// The UDP port on which the speaker answers timing requests; nil when it does not.
    package var clockPort: UInt16?
    /// The group clock that it knows already; nil when it knows none.
    package var clock: KnownClock?
    /// The generation of the audio it still holds from the sender's stream; 0 without any.
    package var generation: UInt32
    /// What it still holds of the sender's stream.
    package var loaded: [TimeRange]
    /// The line that the sender's programme is played along, as last told; nil when none was.
    package var timebase: TimebaseCommand?
    /// Where the sender's programme ends, as last told.
    package var end: MediaTime?
    /// How playback time runs in the sender's programme, as last told; nil when that was not.
    package var reference: ReferenceFit?
    /// The household that the speaker belongs to; nil while it is nobody's.
    package var household: String?
    /// The sender that has claimed it for that household; nil while it is nobody's.
    package var claimant: Claimant?
    /// What shows that the speaker knows its token; nil for one that has none.
    package var proof: String?
    /// What it can do that older versions of the same protocol cannot.
    package var features: [String]

    /// A welcome.
    package init(
        id: String, name: String, version: Int = WireLimits.version, session: String = "", bufferSeconds: Double,
        bufferBytes: UInt64, codecs: [String], pictureCodecs: [String] = [], device: String, deviceFormat: String,
        clockPort: UInt16? = nil,
        clock: KnownClock? = nil, generation: UInt32 = 0, loaded: [TimeRange] = [], timebase: TimebaseCommand? = nil,
        end: MediaTime? = nil, reference: ReferenceFit? = nil, household: String? = nil, claimant: Claimant? = nil,
        proof: String? = nil, features: [String] = Self.allFeatures
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.session = session
        self.bufferSeconds = bufferSeconds
        self.bufferBytes = bufferBytes
        self.codecs = codecs
        self.pictureCodecs = pictureCodecs
        self.device = device
        self.deviceFormat = deviceFormat
        self.clockPort = clockPort
        self.clock = clock
        self.generation = generation
        self.loaded = loaded
        self.timebase = timebase
        self.end = end
        self.reference = reference
        self.household = household
        self.claimant = claimant
        self.proof = proof
        self.features = features
    }

    /// A sender that has claimed a speaker.
    package struct Claimant: Sendable, Equatable {
        /// The id of its key.
        package var id: String
        /// What it is called, for people.
        package var name: String

        package init(id: String, name: String) { (self.id, self.name) = (id, name) }
    }

    /// The feature of a speaker that follows a reference room, and can be one.
    package static let referenceFeature = "reference"
    /// The feature of a speaker that can be given another name.
    package static let nameFeature = "name"
    /// The feature of a speaker whose room can have effects.
    package static let effectsFeature = "effects"
    /// The feature of a screen that shows texts above its pictures.
    package static let captionsFeature = "captions"
    /// What speakers of this version can do.
    package static let allFeatures = [referenceFeature, nameFeature, effectsFeature]

    /// Whether the room can have effects.
    package var takesEffects: Bool { features.contains(Self.effectsFeature) }

    /// Whether there is a screen.
    package var isScreen: Bool { !pictureCodecs.isEmpty }

    /// Whether there is a screen that shows texts above its pictures.
    package var showsCaptions: Bool { features.contains(Self.captionsFeature) }

    /// Whether the speaker can be given another name.
    package var takesName: Bool { features.contains(Self.nameFeature) }

    /// Whether the speaker follows a reference room, and can be one.
    package var followsReference: Bool { features.contains(Self.referenceFeature) }
}
