import TuttiChain
import TuttiRooms
import TuttiSchema
import TuttiSender

/// What the sound of rooms goes through.
extension House {
    /// - Parameter edit: nil to be told only.
    func effects(_ edit: EffectEdit?, of room: String) async throws(SenderError) -> ControlAnswer {
        let sound = RoomSound(book: book, trust: configuration.identity.trust, clock: configuration.clock)
        let listing = try await sound.carryOut(edit, in: try RoomAddress(parsing: room))
        var response = ControlResponse()
        (response.effects, response.room) = (listing, listing.room)
        return ControlAnswer(response)
    }
}
