import TuttiHost
package import TuttiRooms
package import TuttiSchema
import TuttiSender

/// Rooms that nobody plays in: how loud they are, and will be.
package struct IdleRooms: Sendable {
    let book: RoomBook
    let identity: SenderIdentity
    let clock: HostClock
    let readings: RoomReadings

    /// What is to be set.
    package enum Change: Sendable {
        /// How loud it is; it is heard again where it was muted.
        case volume(VolumeChange)
        /// So much louder, or softer; silent or not as it was.
        case balance(Double)
        /// Whether it is silent.
        case mute(Bool)
        /// What it is called.
        case name(String)
        /// Both, as they were before.
        case level(volume: Double, isMuted: Bool)
    }

    /// How rooms stand; those that do not answer are left out.
    package func levels(of rooms: [RoomAddress]) async -> [RoomStatus] {
        await readings.levels(of: rooms) { [book] rooms in
            var levels: [RoomAddress: RoomStatus] = [:]
            for (room, result) in zip(rooms, await book.find(rooms)) {
                if case .success(let place) = result { levels[room] = RoomStatus(place.address, place.look) }
            }
            return levels
        }
    }

    /// How one room stands.
    ///
    /// - Throws: why it does not answer.
    package func level(of room: RoomAddress) async throws(SenderError) -> RoomStatus {
        let place = try await place(of: room)
        return RoomStatus(place.address, place.look)
    }

    /// Sets a room.
    ///
    /// - Returns: how it stands then.
    /// - Throws: why it does not answer; `.roomRefused` where somebody plays.
    package func set(_ change: Change, of room: RoomAddress) async throws(SenderError) -> RoomStatus {
        let place = try await place(of: room)
        let (identity, clock) = (identity, clock)
        let done = await RoomNetwork.aside { () throws(SenderError) in
            let visit = try RoomVisit(place.address, identity: identity, clock: clock)
            defer { visit.leave() }
            try visit.set(change)
            return (level: visit.level, name: visit.name)
        }
        await readings.forget()
        let (level, name) = try done.get()
        var status = RoomStatus(place.address, place.look)
        (status.volume, status.muted, status.name) = (level.percent, level.isMuted, name)
        return status
    }

    private func place(of room: RoomAddress) async throws(SenderError) -> RoomBook.Place {
        try await book.find(room).mapError(\.error).get()
    }
}

extension RoomVisit {
    fileprivate func set(_ change: IdleRooms.Change) throws(SenderError) {
        switch change {
        case .volume(let change): try setLevel(change.applied(to: level.percent), isMuted: false)
        case .balance(let step): try setLevel(VolumeChange.by(step).applied(to: level.percent), isMuted: level.isMuted)
        case .mute(let isMuted): try setLevel(level.percent, isMuted: isMuted)
        case .name(let name): try setName(name)
        case .level(let volume, let isMuted): try setLevel(volume, isMuted: isMuted)
        }
    }
}
