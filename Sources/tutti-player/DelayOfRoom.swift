import TuttiCalibration
import TuttiCore
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// A room's output delay, wherever it can be had: from the player that has the room, or from its speaker.
enum DelayOfRoom {
    /// Asks for the delay and sets what `change` makes of it, if it makes something of it.
    ///
    /// - Returns: the room's name and its delay now.
    static func change(
        _ address: RoomAddress, _ change: (OutputDelay) -> OutputDelay?
    ) async throws(SenderError) -> (name: String, delay: OutputDelay) {
        if let playing = try throughPlayer(address, change) { return playing }
        let store = try PlayerSettings.store()
        let book = try RoomBook(store: store, clock: HostClock())
        let place = try await book.find(address).mapError(\.error).get().address
        let visit = try RoomVisit(place, identity: try store.identity(), clock: HostClock())
        let name = visit.name
        var delay = OutputDelay(milliseconds: visit.outputDelayMs)
        if let wanted = change(delay) {
            try visit.setOutputDelay(wanted.milliseconds)
            delay = OutputDelay(milliseconds: visit.outputDelayMs)
        }
        visit.leave()
        return (name, delay)
    }

    /// The same through the player of this user; nil when it does not have the room.
    private static func throughPlayer(
        _ address: RoomAddress, _ change: (OutputDelay) -> OutputDelay?
    ) throws(SenderError) -> (name: String, delay: OutputDelay)? {
        let client = GroupOption.client
        let playing: [PlayerStatus]
        do throws(SenderError) {
            playing = try client.statuses()
        } catch {
            if error.exitCode == SenderError.nothingPlaying.exitCode { return nil }
            throw error
        }
        guard let (group, room) = find(address, in: playing), let milliseconds = room.outputDelayMs else { return nil }
        let delay = OutputDelay(milliseconds: milliseconds)
        guard let wanted = change(delay) else { return (room.name, delay) }
        let request = ControlRequest(.delay(milliseconds: wanted.milliseconds, room: room.name), group: group)
        let after = find(address, in: [try client.send(request)])?.room
        return (room.name, OutputDelay(milliseconds: after?.outputDelayMs ?? wanted.milliseconds))
    }

    private static func find(
        _ address: RoomAddress, in playing: [PlayerStatus]
    ) -> (group: String?, room: RoomStatus)? {
        for status in playing {
            if let room = find(address, in: status) { return (status.group, room) }
        }
        return nil
    }

    /// The room of a player that an address means.
    static func find(_ address: RoomAddress, in status: PlayerStatus) -> RoomStatus? {
        status.rooms.first { room in
            address.name.isEmpty
                ? room.address == address.endpoint : Names.areSame(room.name, address.name)
        }
    }
}
