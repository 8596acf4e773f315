import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiProduction
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiWire

/// A group of a sender, with the player that serves it while it plays.
final class SenderGroup: @unchecked Sendable {
    let plan: GroupPlan
    private(set) var player: Player?
    /// Counts entries of this group's queues.
    private var entries: UInt32 = 0
    /// The ids of entries in the player's queue, by their numbers here.
    private(set) var ids: [UInt32: UInt64] = [:]

    /// Tells its entries from those of other groups.
    private let number: UInt32

    init(_ plan: GroupPlan, number: UInt32) {
        self.plan = plan
        self.number = number
    }

    /// The process has been started: goes on from what is on the disk.
    func wake(on machine: SenderMachine) {
        guard let record = machine.host.disk.records[plan.name], let host = machine.surroundings(of: plan.name),
            let configuration = try? record.configuration(identity: machine.identity, clock: machine.host.clock),
            let player = try? Player(
                staying(configuration), restoring: record, journal: machine.journal(of: plan.name), host: host)
        else { return }
        self.player = player
        player.assumeIsolated { try? $0.begin() }
    }

    private func staying(_ configuration: PlayerConfiguration) -> PlayerConfiguration {
        var configuration = configuration
        configuration.staysAtEnd = true
        return configuration
    }

    /// The process is gone.
    func forget() { player = nil }

    /// How the player stands; nil while there is none.
    func inspect() -> PlayerInspection? {
        let inspection = player?.assumeIsolated { $0.inspect() }
        for id in inspection?.queue.ids ?? [] {
            guard let uri = inspection?.queue[id]?.input.uri, let input = SymbolicInput(uri) else { continue }
            ids[input.entry] = id.rawValue
        }
        return inspection
    }

    /// What people have asked for so far.
    var state: GroupState {
        var state = GroupState()
        guard let inspection = inspect(), !inspection.isFinished else { return state }
        let queue = inspection.queue
        state.queue = queue.ids.map { id in
            GroupState.Entry(id: id.rawValue, song: queue[id].flatMap { SymbolicInput($0.input.uri)?.song } ?? "")
        }
        state.current = queue.current?.rawValue
        state.isPlaying = inspection.isPlaying
        state.repeats = queue.repeatMode
        state.isShuffled = queue.isShuffled
        state.consumes = queue.consumes
        state.crossfade = inspection.crossfade.nanoseconds
        state.rate = inspection.rate
        state.rooms = inspection.rooms.map {
            GroupState.Level(room: $0.name, volume: $0.volume, isMuted: $0.volume == nil ? nil : $0.isMuted)
        }
        return state
    }

    // MARK: Playing

    /// Begins the queue of the plan.
    func play(on machine: SenderMachine) throws {
        guard let host = machine.surroundings(of: "\(plan.name) \(entries)") else { return }
        player?.assumeIsolated { $0.stop() }
        let rooms = plan.rooms.compactMap { machine.address(of: $0) }
        var configuration = PlayerConfiguration(
            inputs: plan.queue.map(input), rooms: rooms, encoding: try EncodingOptions(), allowsMissingRooms: true,
            identity: machine.identity, clock: machine.host.clock)
        configuration.crossfade = try MediaTime(crossfade: Double(plan.crossfade) * 1e-9)
        DiskJournal.forget(plan.name, on: machine.host)
        let player = try Player(staying(configuration), journal: machine.journal(of: plan.name), host: host)
        self.player = player
        let repeats = plan.repeats
        try player.assumeIsolated { player in
            try player.setRepeat(repeats)
            try player.begin()
        }
    }

    private func input(_ song: String) -> AssetInput {
        entries += 1
        return SymbolicInput(song: song, entry: number << 16 | entries & 0xFFFF).asset
    }

    // MARK: People

    func carryOut(_ command: UserCommand, on machine: SenderMachine) throws {
        if case .play = command { return try play(on: machine) }
        guard let player else { throw SenderError.nothingPlaying }
        if case .addRoom(let room) = command, let address = machine.address(of: room) {
            for other in machine.groups where other !== self {
                other.player?.assumeIsolated { $0.leaveToOthers([address]) }
            }
        }
        if case .stop = command { DiskJournal.forget(plan.name, on: machine.host) }
        let songs = machine.scenario.songs.map(\.name)
        let asked = command.playerCommand { song in
            guard songs.contains(song) else { return nil }
            let entry = input(song)
            return ControlInput(uri: entry.uri, title: entry.title)
        }
        try player.assumeIsolated { player in
            if let asked { return try player.carryOut(asked) }
            switch command {
            case .addRoom(let room):
                guard let address = machine.address(of: room) else { throw SenderError.noSuchRoom(room) }
                try player.addRoom(address)
            case .removeRoom(let room): try player.removeRoom(room)
            default: break
            }
        }
    }
}
