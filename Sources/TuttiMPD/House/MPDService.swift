import Glibc
package import Logging
import Synchronization
import TuttiCore
package import TuttiHost
package import TuttiRemote
package import TuttiSchema

/// A running service as clients of MPD's protocol see it.
///
/// The watch's thread keeps the model true; whoever asks for something reads what came of it before the answer. All
/// readings go one after the other, so that an older one never follows a newer one.
package final class MPDService: MPDHouse {
    /// Seconds after a command in which events may still tell of what was before it.
    private static let settling = 0.5
    /// How often a group that is to pause is looked at, 20 ms apart.
    private static let looks = 25

    private struct State {
        var model: MPDModel
        var lastCommand = -1e9
        var isThere: Bool?
    }

    private let state: Mutex<State>
    private let reading = Mutex<Void>(())
    private let listener = Mutex<(@Sendable ([MPDChange]) -> Void)?>(nil)
    private let follower = Mutex<(@Sendable (ControlEvent.Change) -> Void)?>(nil)
    private let client: ServiceClient
    private let pictures: MPDPictures
    private let logger: Logger

    /// - Parameters:
    ///   - usualGroup: the group that clients begin in; nil for the one that plays.
    ///   - player: `tutti-player`, which makes pictures.
    package init(_ client: ServiceClient, usualGroup: String?, player: String, logger: Logger) {
        state = Mutex(State(model: MPDModel(usualGroup: usualGroup)))
        (self.client, pictures, self.logger) = (client, MPDPictures(player: player), logger)
    }

    /// Begins to watch the service.
    ///
    /// - Parameter tell: is told of changes, on any thread.
    /// - Throws: that there are no threads.
    package func start(telling tell: @escaping @Sendable ([MPDChange]) -> Void) throws(HostError) {
        listener.withLock { $0 = tell }
        let watch = ServiceWatch(client) { self.take($0) }
        _ = try RealtimeThread.spawn(name: "watch", priority: nil) { watch.run() }
    }

    /// Has somebody follow what there is to be read again.
    package func onChange(_ follow: @escaping @Sendable (ControlEvent.Change) -> Void) {
        follower.withLock { $0 = follow }
    }

    package var model: MPDModel { state.withLock(\.model) }
    package var now: Double { ServiceWatch.now }

    package func edit(_ change: (inout MPDModel) throws(MPDFault) -> [MPDChange]) throws(MPDFault) {
        let result: Result<[MPDChange], MPDFault> = state.withLock { state in
            do throws(MPDFault) { return .success(try change(&state.model)) } catch { return .failure(error) }
        }
        tell(try result.get())
    }

    private func change(_ edit: (inout MPDModel) -> [MPDChange]) { tell(state.withLock { edit(&$0.model) }) }

    private func tell(_ changes: [MPDChange]) {
        guard !changes.isEmpty, let listener = listener.withLock(\.self) else { return }
        listener(changes)
    }

    // MARK: Asking

    package func ask(_ request: ControlRequest) throws(ServiceClient.Failure) -> ControlResponse {
        let response = try client.ask(request)
        state.withLock { $0.lastCommand = ServiceWatch.now }
        reading.withLock { _ in follow(request, response) }
        if case .player(.pause) = request.command { awaitPause(of: response.status?.group ?? request.group ?? "") }
        return response
    }

    /// Waits a moment for a group that was still filling its rooms' buffers when it was told to pause.
    private func awaitPause(of group: String) {
        for _ in 0..<Self.looks where model.partition(group)?.state == "play" {
            usleep(20_000)
            reading.withLock { _ in readGroups() }
        }
    }

    /// Reads what a request has changed.
    private func follow(_ request: ControlRequest, _ response: ControlResponse) {
        let group = response.status?.group ?? request.group ?? ""
        switch request.command {
        case .player(.volume), .player(.mute):
            let rooms = response.status?.rooms ?? []
            change { $0.take(told: rooms) }
        case .player(.pause), .player(.seek), .player(.crossfade), .player(.normalise):
            if let status = response.status { change { $0.take(status, of: group, at: ServiceWatch.now) } }
            if request.word == .crossfade || request.word == .normalise { readQueue(of: group) }
        case .player:
            readGroups()
            if request.word != .resume, request.word != .stop { readQueue(of: group) }
        case .playlist, .library: break
        default: readGroups()
        }
    }

    /// Reads all groups, and those queues that are not the known ones any more.
    ///
    /// - Parameter rooms: what was known of all rooms before; nil for what the model knows.
    private func readGroups(rooms: [RoomStatus]? = nil) {
        guard let status = try? client.answer(to: ControlRequest(.status)),
            let named = try? client.answer(to: ControlRequest(.group(.list))).groups
        else { return }
        var view = HouseView()
        view.take(status: status, named: named, at: ServiceWatch.now)
        take(view.groups, rooms ?? model.outputs.map(\.room))
    }

    private func take(_ groups: [HouseView.Group], _ rooms: [RoomStatus]) {
        // Who plays knows its rooms best.
        let told = groups.compactMap(\.status).filter { $0.state != .stopped }.flatMap(\.rooms)
            .filter { $0.state != .taken }
        let merged = rooms.map { room in told.first { Names.areSame($0.name, room.name) } ?? room }
        change { $0.take(rooms: merged) + $0.take(groups: groups, at: ServiceWatch.now) }
        for partition in model.partitions where partition.queueIsOld { readQueue(of: partition.name) }
    }

    private func readQueue(of group: String) {
        let request = ControlRequest(.queue, group: group.isEmpty ? nil : group)
        guard let response = try? client.answer(to: request) else { return }
        change { $0.take(response.queue, of: group, at: ServiceWatch.now) }
    }

    // MARK: Watching

    private func take(_ news: ServiceWatch.News) {
        switch news {
        case .view(let view):
            reading.withLock { _ in
                if ServiceWatch.now - state.withLock(\.lastCommand) < Self.settling {
                    readGroups(rooms: view.rooms)
                } else {
                    take(view.groups, view.rooms)
                }
            }
            note(isThere: true)
        case .event(let event): take(event)
        case .gone:
            change { $0.serviceIsGone() }
            note(isThere: false)
        }
    }

    private func take(_ event: ControlEvent) {
        let group = event.group ?? ""
        if case .changed(let what) = event.kind { follower.withLock(\.self)?(what) }
        switch event.kind {
        case .item: reading.withLock { _ in readQueue(of: group) }
        case .changed(.queue):
            reading.withLock { _ in
                readQueue(of: group)
                // A queue that does not play has no progress.
                if model.partition(group)?.isUnderWay != true { readGroups() }
            }
        case .changed(.rooms) where model.partitions.contains { $0.name.isEmpty }:
            reading.withLock { _ in readGroups() }
        case .itemFailed(_, let uri, let message, _): change { $0.failed("\(uri): \(message)", in: group) }
        default: break
        }
    }

    private func note(isThere: Bool) {
        let isNew = state.withLock { state in
            defer { state.isThere = isThere }
            return state.isThere != isThere
        }
        if isNew { logger.info(isThere ? "the service answers" : "the service does not answer; it is tried again") }
    }

    // MARK: Files

    package func kind(ofFile path: String) -> MPDFileKind { MPDFiles.kind(of: path) }
    package func files(in folder: String, most: Int) -> [String] { MPDFiles.music(in: folder, most: most) }
    package func picture(ofFile path: String) -> [UInt8]? { pictures.picture(ofFile: path) }
}

extension MPDPartition {
    /// Whether how it stands does not go with the queue that is known.
    var queueIsOld: Bool {
        guard let status else { return false }
        if status.queue.length != queue.entries.count { return true }
        guard let item = status.item, let id = item.id else { return false }
        guard let entry = queue.entries.first(where: { $0.id == id }) else { return true }
        return entry.index != item.index
    }
}
