import TuttiChain
import TuttiRooms
import TuttiSchema
import TuttiSender

/// What the sound of rooms goes through.
extension House {
    /// - Parameter edit: nil to be told only.
    func effects(_ edit: EffectEdit?, of room: String) async throws(SenderError) -> ControlAnswer {
        answer(try await sound.carryOut(edit, in: try RoomAddress(parsing: room)))
    }

    /// - Parameter path: a file of this host: a chain, or an impulse response.
    func effects(ofFile path: String, in room: String) async throws(SenderError) -> ControlAnswer {
        answer(try await sound.carryOut(file: path, in: try RoomAddress(parsing: room)))
    }

    /// - Parameter isPair: false for both sides in both rooms again.
    func stereo(_ left: String, _ right: String, _ isPair: Bool) async throws(SenderError) -> ControlAnswer {
        var response = ControlResponse()
        response.pair = try await sound.pair(
            try RoomAddress(parsing: left), try RoomAddress(parsing: right), isPair: isPair)
        return ControlAnswer(response)
    }

    private var sound: RoomSound {
        RoomSound(book: book, trust: configuration.identity.trust, clock: configuration.clock)
    }

    private func answer(_ listing: EffectsListing) -> ControlAnswer {
        var response = ControlResponse()
        (response.effects, response.room) = (listing, listing.room)
        return ControlAnswer(response)
    }
}
