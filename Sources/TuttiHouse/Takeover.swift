package import TuttiAssets
package import TuttiRooms
import TuttiSender

/// What a command that takes rooms is about to do, once everything has been checked. Nothing has been touched yet.
package struct Takeover: Sendable {
    /// The rooms; those that answer, with their hosts.
    package var rooms: [RoomAddress]
    /// Those that were looked at, as they are.
    package var places: [RoomBook.Place] = []
    /// Why others do not.
    package var absences: [SenderError]
    /// The tracks.
    package var assets: [AssetInput]
    /// The first of them that can be played, as it was opened; nil where only the player may open it.
    package var opened: OpenedAsset?

    /// Finds out whether rooms and inputs are there, both at once.
    ///
    /// - Parameters:
    ///   - present: where a room is that this sender has a connection to; nil for others.
    ///   - any: whether one room is enough.
    /// - Throws: what is wrong, in one line; exit code 3 for rooms and inputs that are not there.
    package static func plan(
        _ assets: [AssetInput], in rooms: [RoomAddress], any: Bool, book: RoomBook,
        present: @Sendable (RoomAddress) -> RoomAddress? = { _ in nil }
    ) async throws(SenderError) -> Takeover {
        async let playable = Result { () async throws(SenderError) in
            try await InputCheck(network: book.network).check(assets)
        }
        let connected = rooms.map(present)
        let wanted = zip(rooms, connected).compactMap { room, place in place == nil ? room : nil }
        var found = await book.find(wanted)[...]
        var plan = Takeover(rooms: [], absences: [], assets: assets)
        var slow: [SenderError] = []
        for (room, place) in zip(rooms, connected) {
            if let place {
                plan.rooms.append(place)
                continue
            }
            switch found.popFirst() {
            case .success(let place)?:
                plan.rooms.append(place.address)
                plan.places.append(place)
            case .failure(let absence)?:
                if case .roomSlow = absence.error {
                    slow.append(absence.error)
                } else {
                    plan.absences.append(absence.error)
                }
                // It may join later.
                plan.rooms.append(room)
            case nil: break
            }
        }
        if let absence = plan.absences.first, !any || plan.absences.count == rooms.count { throw absence }
        // What takes its time joins late, and stops nobody; but somebody has to be there.
        plan.absences += slow
        if let first = plan.absences.first, plan.absences.count == rooms.count { throw first }
        plan.opened = try await playable.get()
        return plan
    }
}
