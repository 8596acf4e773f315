import TuttiCore
package import TuttiHost
package import TuttiRooms
import TuttiSender
package import TuttiStore

/// Which rooms there are, and where: by what the store remembers, and by the network.
package struct RoomBook: Sendable {
    /// A room that answers.
    package struct Place: Sendable {
        /// The room by the speaker's own name, with its host.
        package var address: RoomAddress
        /// What it does.
        package var look: RoomLook
    }

    /// Why a room cannot be played in now.
    package struct Absence: Error {
        /// Whether the room is known, and only away.
        package var isKnown: Bool
        /// The words for it.
        package var error: SenderError
    }

    /// The rooms that were played in.
    package var known: [HouseStore.KnownRoom]
    let network: RoomNetwork

    /// A book of what `known` and `network` tell.
    package init(known: [HouseStore.KnownRoom], network: RoomNetwork) {
        self.known = known
        self.network = network
    }

    /// The rooms of a store.
    ///
    /// - Throws: `SenderError.system` when it cannot be read.
    package init(store: HouseStore, clock: HostClock) throws(SenderError) {
        self.init(known: try store.rooms(), network: .system(clock: clock, trust: store.trust))
    }

    // MARK: Finding

    /// Where a room is, if it answers: at the address that was given, where it was last, or where the network says.
    package func find(_ room: RoomAddress) async -> Result<Place, Absence> {
        if room.host != nil { return await look(at: room).mapError { Absence(isKnown: isKnown(room), error: $0) } }
        let remembered = entry(named: room.name).flatMap { try? RoomAddress(parsing: "\($0.name)@\($0.address)") }
        if let remembered, case .success(let place) = await look(at: remembered) { return .success(place) }
        switch await network.find([room.name])[room.name] {
        case .success(let found)?:
            return await look(at: found).mapError { Absence(isKnown: true, error: $0) }
        case .failure(let error)?:
            if let remembered {
                let reason = "no answer from \(remembered.endpoint), its last address; is it switched on?"
                return .failure(
                    Absence(isKnown: true, error: .roomUnreachable(remembered.name, reason: reason)))
            }
            return .failure(Absence(isKnown: false, error: suggesting(error, for: room.name)))
        case nil:
            return .failure(
                Absence(isKnown: false, error: .roomNotFound(room.name, reason: "no such speaker on the network")))
        }
    }

    /// Where several rooms are, in their order.
    package func find(_ rooms: [RoomAddress]) async -> [Result<Place, Absence>] {
        await rooms.mapTogether(atOnce: Self.looksAtOnce) { await find($0) }
    }

    /// Rooms that are looked at together: each look takes a thread.
    static let looksAtOnce = 16

    private func look(at room: RoomAddress) async -> Result<Place, SenderError> {
        await network.look(room).map { look in
            Place(address: RoomAddress(name: look.name, host: room.host, port: room.port), look: look)
        }
    }

    private func isKnown(_ room: RoomAddress) -> Bool {
        known.contains { room.isMeant(by: $0.name, $0.address) }
    }

    /// What is remembered of a room, by its name or its speaker's id.
    package func entry(named name: String) -> HouseStore.KnownRoom? {
        known.first { Names.areSame($0.name, name) || $0.speaker == name }
    }

    private func suggesting(_ error: SenderError, for name: String) -> SenderError {
        guard let meant = Names.nearest(to: name, in: known.map(\.name)) else { return error }
        return .roomNotFound(name, reason: "no such room; did you mean '\(meant)'?")
    }

    // MARK: Checking

    /// Whether rooms may be named in a group or an alarm: all of them answer, or are known and only away.
    ///
    /// - Returns: why those that are away are.
    /// - Throws: the first room that nobody knows.
    package func check(_ rooms: [RoomAddress]) async throws(SenderError) -> [SenderError] {
        var away: [SenderError] = []
        for case .failure(let absence) in await find(rooms) {
            guard absence.isKnown else { throw absence.error }
            away.append(absence.error)
        }
        return away
    }
}
