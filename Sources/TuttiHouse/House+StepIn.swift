import TuttiCore
import TuttiRooms
package import TuttiSchema
import TuttiSender
import TuttiStore

/// Rooms play on for minutes when their service is gone, and people still want them to be silent: any process that has
/// the store can step in for one request, and leaves the rooms to the next service then.
extension House {
    /// The requests that work while rooms keep playing without a service.
    private static let possible: Set<ControlRequest.Word> = [
        .pause, .resume, .toggle, .stop, .mute, .volume, .queue,
    ]
    /// What needs a service in any case.
    private static let impossible: Set<ControlRequest.Word> = [
        .play, .say, .at, .schedules, .cancel, .sleep, .group, .watch,
    ]
    /// Seconds that rooms have to answer, and to carry out a command.
    private static let (answerTime, tellingTime) = (3.0, 0.3)

    /// Does one thing in place of a service that is gone, and leaves.
    package func stepIn(for request: ControlRequest) async -> ControlResponse {
        isVisiting = true
        var response: ControlResponse
        do throws(SenderError) {
            response = try await carryOutAlone(request)
        } catch {
            response = ControlResponse(error)
        }
        await leave()
        return response
    }

    private func carryOutAlone(_ request: ControlRequest) async throws(SenderError) -> ControlResponse {
        guard !Self.impossible.contains(request.word) else { throw .nothingPlaying }
        try remind()
        if case .status = request.command { return try await statusAlone(request) }
        let isLevel = request.word == .volume || request.word == .mute
        try await restore { await self.sounds($0) }
        if playing.isEmpty {
            if request.word == .stop { return try await stopOrphans() }
            let isEdit = Self.edits.contains(request.word) && !stopped.isEmpty
            if !isLevel, !isEdit { throw await silence() }
            return await answer(request).response
        }
        guard Self.possible.contains(request.word) else {
            throw .notNow(
                "no service is running, so this is not possible now; start it with `tutti serve`"
            )
        }
        try await awaitRooms()
        var response = await answer(request).response
        // A change takes effect a moment after the command.
        try? await Task.sleep(for: .seconds(Self.tellingTime))
        if response.ok, request.word != .stop {
            response.notices = (response.notices ?? []) + [Self.remark]
        }
        return response
    }

    private static let remark =
        "no service is running; the rooms keep playing from their buffers until you start `tutti serve`"

    private func silence() async -> SenderError {
        await orphans().isEmpty
            ? nothingPlays
            : .notNow(
                "rooms are still playing without their sender, and nothing is stored about it; `tutti stop` stops them")
    }

    private func awaitRooms() async throws(SenderError) {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(Self.answerTime)
        var isAttached = false
        repeat {
            isAttached = true
            var isComplete = true
            for group in playing.values {
                guard await group.player.isAttached else {
                    isAttached = false
                    continue
                }
                isComplete = await group.player.status().rooms.allSatisfy { $0.volume != nil } && isComplete
            }
            if isAttached, isComplete { return }
            try? await Task.sleep(for: .milliseconds(20))
        } while clock.now < deadline
        guard isAttached else { throw .notNow("no answer from the rooms that played last") }
    }

    // MARK: Looking

    /// Whether a player's rooms still play, or are paused.
    private func sounds(_ stored: HouseStore.StoredPlayer) async -> Bool {
        await looks(stored).contains { $0.look.isInUse }
    }

    private func looks(_ stored: HouseStore.StoredPlayer) async -> [RoomBook.Place] {
        var places: [RoomBook.Place] = []
        for case .success(let place) in await book.find(stored.record.rooms) { places.append(place) }
        return places
    }

    /// How what plays on without a service stands; nobody in the rooms notices.
    private func statusAlone(_ request: ControlRequest) async throws(SenderError) -> ControlResponse {
        var statuses: [PlayerStatus] = []
        for stored in try store.players().found {
            if stored.record.state.isStopped == true {
                stopped[Names.fold(stored.name)] = Stopped(
                    serial: nextSerial(), name: stored.name,
                    rows: PlayerRows(store, name: stored.name, number: stored.number), record: stored.record)
                continue
            }
            if let wanted = request.group, !Names.areSame(wanted, stored.name) { continue }
            let places = await looks(stored)
            guard places.contains(where: \.look.isInUse) else { continue }
            statuses.append(PlayerStatus(stored.record, places.map { ($0.address, $0.look) }).labelled(stored.name))
        }
        guard !statuses.isEmpty else { throw await silence() }
        var response = ControlResponse(status: statuses.count == 1 ? statuses[0] : nil)
        response.playing = statuses
        response.notices = [Self.remark]
        return response
    }

    // MARK: Orphans

    /// Rooms that play or are paused without a player in the store.
    private func orphans() async -> [RoomAddress] {
        var rooms = known.values.compactMap { try? RoomAddress(parsing: "\($0.name)@\($0.address)") }
        for found in (try? await RoomResolver.all(as: configuration.identity.trust)) ?? []
        where !rooms.contains(where: { $0 == found.room }) {
            rooms.append(found.room)
        }
        var orphans: [RoomAddress] = []
        for case .success(let place) in await book.find(rooms) where place.look.isInUse {
            if !orphans.contains(place.address) { orphans.append(place.address) }
        }
        return orphans
    }

    /// Silences rooms whose sender is gone; those that have one keep it.
    private func stopOrphans() async throws(SenderError) -> ControlResponse {
        let (identity, clock) = (configuration.identity, configuration.clock)
        var silenced: [String] = []
        for room in await orphans() {
            let done = await RoomNetwork.aside { () throws(SenderError) in
                try RoomVisit.silence(room, identity: identity, clock: clock)
            }
            if case .success = done { silenced.append(room.label) }
        }
        guard !silenced.isEmpty else { throw nothingPlays }
        var response = ControlResponse(status: PlayerStatus(idle: [], state: .ended))
        response.notices = ["stopped: \(silenced.joined(separator: ", "))"]
        return response
    }
}
