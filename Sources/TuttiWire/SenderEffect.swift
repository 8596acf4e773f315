package import TuttiCore

/// What a sender's shell must do, in order, after an input to a room's `SenderSession`.
package enum SenderEffect: Sendable, Equatable {
    /// Write these bytes on the control connection.
    case sendControl([UInt8])
    /// Write these bytes on the media connection.
    case sendMedia([UInt8])
    /// The speaker has answered: open the media connection to it.
    case openMedia(Welcome)
    /// More may be sent than before.
    case creditGranted
    /// How the speaker is doing.
    case status(SpeakerStatus)
    /// The newest flush is done; packets may be sent again; `loaded` is still held.
    case flushed(loaded: [TimeRange])
    /// Where the card of a reference room stands.
    case cardFit(ReferenceFit)
    /// The speaker hands over what trust in its household rests on.
    case trust(TrustHandover)
    /// Something happened at the speaker that a person may want to know.
    case event(kind: String, message: String)
    /// The speaker refuses; the connection is about to be closed.
    case refused(code: String, message: String)
    /// Close both connections; the reason is for the log.
    case close(reason: String)
}
