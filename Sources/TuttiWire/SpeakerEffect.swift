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
    /// Somebody only looks: write a welcome and a status, and close this connection, which is none of the session's any
    /// more. If it knows no clock and nobody plays on it, it may take this one.
    case looked(ConnectionID, ClockAnnouncement?)
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
    /// How playback time runs, and whether this room is the reference.
    case reference(ReferenceCommand)
    /// The programme ends here.
    case end(media: MediaTime)
    /// Audio of the current generation, checked, within credit.
    case deliver(SampleBuffer)
    /// One of the above, from `senderArrived` on, that an overlay is about and not the owner.
    case overlay(Int, SpeakerEffect)
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
