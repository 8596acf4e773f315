package import TuttiCore

/// A message of the control connection: one JSON object with a `type`.
///
/// Unknown fields are ignored. Messages of unknown type are `.unknown` and answered with `.unsupported`.
package enum ControlMessage: Sendable, Equatable {
    // MARK: From the sender

    /// Who connects, and what for.
    case hello(Hello)
    /// Where the group clock is led.
    case clock(ClockAnnouncement)
    /// `id` in media packets means `format` from now on.
    case format(id: UInt16, AudioFormat)
    /// `id` in packets of pictures means `format` from now on.
    case pictureFormat(id: UInt16, VideoFormat)
    /// Where the programme stands, and when.
    case timebase(TimebaseCommand)
    /// Drop the audio from `from` on (all of it when nil); later packets carry `generation`. Answered with `.flushed`.
    case flush(generation: UInt32, from: MediaTime?)
    /// How loud the room is.
    case volume(VolumeCommand)
    /// How much earlier the samples go to the device, in milliseconds, for what lies behind it.
    case outputDelay(milliseconds: Double)
    /// What the room is called from now on, 1 … `WireLimits.nameBytes` bytes; the speaker keeps it.
    case name(String)
    /// The programme ends at `media`: after that frame the speaker has `ended`.
    case end(media: MediaTime)
    /// How playback time runs against the group clock, and whether this room's card leads it.
    case reference(ReferenceCommand)
    /// A sign of life.
    case ping
    /// The sender leaves on purpose: fade out, forget the programme.
    case goodbye(reason: String)

    // MARK: From the speaker

    /// Who the speaker is and what it can do.
    case welcome(Welcome)
    /// How much may be sent.
    case credit(Credit)
    /// How the speaker is doing.
    case status(SpeakerStatus)
    /// How the room's effects stand.
    case effects(EffectsReport)
    /// The flush of `generation` is done; `loaded` is still held.
    case flushed(generation: UInt32, loaded: [TimeRange])
    /// Where the card of the reference room stands: what playback time is there by its frames.
    case cardFit(ReferenceFit)
    /// Something happened that a person may want to know.
    case event(kind: String, message: String)
    /// The request is refused and the connection about to be closed.
    case failure(code: String, message: String)

    // MARK: From either

    /// What members of a household tell one another.
    case trust(TrustHandover)

    /// A message of the type `type` was not understood and ignored.
    case unsupported(type: String)
    /// A message of a type that this version does not know; never sent.
    case unknown(type: String)

    /// The kind of `.event` that says that a `.goodbye` was read; the connection is closed after it.
    package static let farewell = "farewell"

    /// Codes of `.failure`.
    package enum FailureCode {
        /// Another sender plays here.
        package static let busy = "busy"
        /// The version of the protocol is not spoken here.
        package static let version = "version"
        /// The media connection names a session that is not.
        package static let session = "session"
        /// The same sender plays another programme here now; the older one is not to come back.
        package static let replaced = "replaced"
        /// A person has asked another sender to play here; this one is not to come back by itself.
        package static let taken = "taken"
        /// The sender is not of the household that the speaker belongs to.
        package static let household = "household"
        /// The speaker is nobody's, and wants to be shown that the sender knows its token.
        package static let token = "token"
        /// The sender broke the protocol; the message says how.
        package static let protocolError = "protocol"
    }

    /// The complete frame of this message.
    ///
    /// Texts longer than their limits are cut, lists too; so a message always fits its frame.
    package func encodedFrame() -> [UInt8] {
        let body = encodedBody()
        return Frame.header(.control, bodyCount: body.count) + body
    }
}
