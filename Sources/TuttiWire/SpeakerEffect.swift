package import TuttiCore

/// Names one TCP connection; the shell chooses numbers that it never uses twice.
package struct ConnectionID: Sendable, Hashable {
    /// The number.
    package let rawValue: UInt64

    /// The connection with this number.
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// What a speaker's shell must do, in order, after an input to its `SpeakerSession`.
package indirect enum SpeakerEffect: Sendable, Equatable {
    /// Write these bytes.
    case send([UInt8], on: ConnectionID)
    /// Close this connection once everything sent is written; the reason is for the log.
    case close(ConnectionID, reason: String)
    /// Close this connection at once, whatever is still to be written; the reason is for the log.
    case abandon(ConnectionID, reason: String)
    /// Read no more from this connection until `.resumeReading`.
    case pauseReading(ConnectionID)
    /// Read on.
    case resumeReading(ConnectionID)
    /// A sender has said hello: call `accept(_:now:)` before the next effect is carried out. Audio of another stream
    /// than `hello.stream` is to be dropped, that of the same stream kept.
    case senderArrived(Hello)
    /// A sender has made the speaker its household's: write that down and `admit` nobody else; when it cannot be written
    /// down, `abandon` the connection and carry out none of the effects that follow.
    case claimed(ConnectionID, by: PeerIdentity, name: String)
    /// Somebody was not let in; the reason is for the log.
    case refused(ConnectionID, name: String, reason: String)
    /// A member of the household hands over what trust rests on.
    case trust(TrustHandover)
    /// Somebody only looks: write a welcome of this version of the protocol and a status, and close this connection,
    /// which is none of the session's any more.
    case looked(ConnectionID, Look, version: Int)
    /// The media connection of the session is up.
    case mediaConnected
    /// The sender is gone without goodbye: play on what is held; it may come back. The reason is for the log.
    case senderLost(reason: String)
    /// The sender has left on purpose: fade out and forget the programme.
    case senderLeft(reason: String)
    /// The group clock is led there; `from` is the connection whose peer leads when no address is named.
    case clock(ClockAnnouncement, from: ConnectionID)
    /// Where the programme stands, and when.
    case timebase(TimebaseCommand)
    /// Drop audio from this time on, or all of it; then call `flushed(generation:loaded:)`.
    case flush(generation: UInt32, from: MediaTime?)
    /// How loud.
    case volume(VolumeCommand)
    /// How much earlier samples go out, in milliseconds.
    case outputDelay(milliseconds: Double)
    /// What the room is called from now on.
    case name(String)
    /// How playback time runs, and whether this room is the reference.
    case reference(ReferenceCommand)
    /// The programme ends here.
    case end(media: MediaTime)
    /// Audio of the current generation, checked, within credit.
    case deliver(SampleBuffer)
    /// A picture of the current generation, checked, within credit; whether those held from its time on are to make way.
    case deliverPicture(VideoSampleBuffer, beginsAnew: Bool)
    /// A text above pictures of the current generation, checked, within credit.
    case deliverCaption(Caption)
    /// One of the above, from `senderArrived` on, that an overlay is about and not the owner.
    case overlay(Int, SpeakerEffect)
}

/// What somebody who only looks has brought.
package struct Look: Sendable, Equatable {
    /// A clock, for a speaker that knows none and on which nobody plays.
    package var clock: ClockAnnouncement?
    /// What trust in the household rests on.
    package var trust: TrustHandover?
    /// What is asked of the room's effects.
    package var effects: EffectsRequest?

    package init(
        clock: ClockAnnouncement? = nil, trust: TrustHandover? = nil, effects: EffectsRequest? = nil
    ) {
        self.clock = clock
        self.trust = trust
        self.effects = effects
    }
}

extension SpeakerEffect {
    /// The effect as one that whoever sits at `slot` is about.
    func about(_ slot: Slot) -> SpeakerEffect {
        switch slot {
        case .owner: self
        case .overlay(let number): .overlay(number, self)
        }
    }
}
