import TuttiCore
import TuttiSimulation

/// A song as it lies in the programme of the model, up to the next.
struct ModelPiece: Equatable {
    /// Where in the programme.
    var media: Int64
    var entry: UInt64
    var song: String
    /// What of the song is there.
    var place: Int64
}

/// The sender of the model: it plays its first song only, and keeps what it is asked for.
struct ModelSender {
    let name: String
    var isRunning = true
    private(set) var timebase: TimebaseObservation?
    private(set) var timeline: [ModelPiece] = []
    private(set) var generation: UInt32 = 1
    private let group: GroupPlan
    private var state = GroupState()
    private var stored = GroupState()
    private var incarnation = 1
    private var nextID: UInt64 = 0
    private var answers: [Acknowledgement] = []

    init(_ scenario: Scenario) {
        name = scenario.senders[0].name
        group = scenario.groups[0]
        state.rooms = group.rooms.map { GroupState.Level(room: $0, volume: 60, isMuted: false) }
        for song in group.queue { add(song, at: state.queue.count) }
        state.repeats = group.repeats
        write()
    }

    /// Where the programme stands.
    func place(at now: Int64) -> Int64 {
        guard let timebase else { return 0 }
        return timebase.rate > 0 ? timebase.media + max(0, now - timebase.group) : timebase.media
    }

    mutating func write() { stored = state }

    mutating func restart() {
        guard !isRunning else { return }
        isRunning = true
        incarnation += 1
        state = stored
    }

    mutating func obey(_ command: UserCommand, at now: Int64, writes: Bool) {
        guard isRunning else { return }
        let refusal = change(command, at: now) ? nil : "no such thing"
        if writes { write() }
        answers.append(Acknowledgement(at: now, group: group.name, command: command, refusal: refusal, state: state))
    }

    /// Whether it could be done.
    private mutating func change(_ command: UserCommand, at now: Int64) -> Bool {
        switch command {
        case .play, .resume: run(true, at: now)
        case .pause, .stop: run(false, at: now)
        case .seek(let place): jump(to: place, at: now)
        case .add(let song): add(song, at: state.queue.count)
        case .insert(let song): add(song, at: min(1, state.queue.count))
        case .remove(let place):
            guard place > 0, state.queue.indices.contains(place) else { return false }
            state.queue.remove(at: place)
        case .shuffle(let isOn): state.isShuffled = isOn
        case .consume(let isOn): state.consumes = isOn
        case .repeats(let mode): state.repeats = mode
        case .crossfade(let length): state.crossfade = length
        case .volume(let room, let percent): return level(room) { $0.volume = Double(percent) }
        case .mute(let room, let isOn): return level(room) { $0.isMuted = isOn }
        default: return false
        }
        return true
    }

    private mutating func add(_ song: String, at place: Int) {
        state.queue.insert(GroupState.Entry(id: nextID, song: song), at: place)
        nextID += 1
    }

    private mutating func level(_ room: String, _ body: (inout GroupState.Level) -> Void) -> Bool {
        guard let index = state.rooms.firstIndex(where: { $0.room == room }) else { return false }
        body(&state.rooms[index])
        return true
    }

    private mutating func run(_ isOn: Bool, at now: Int64) {
        guard state.isPlaying != isOn else { return }
        state.isPlaying = isOn
        if timeline.isEmpty, let first = state.queue.first {
            timeline = [ModelPiece(media: 0, entry: first.id, song: first.song, place: 0)]
        }
        timebase = TimebaseObservation(
            stream: 1, timescale: 0xC10C, rate: isOn ? 1 : 0, media: place(at: now),
            group: now + (isOn && timebase == nil ? 300_000_000 : 0))
    }

    private mutating func jump(to target: Int64, at now: Int64) {
        guard let piece = timeline.last else { return }
        timeline.append(ModelPiece(media: place(at: now), entry: piece.entry, song: piece.song, place: target))
        generation += 1
    }

    mutating func observe(clock: ClockObservation, connections: [ConnectionObservation]) -> SenderObservation {
        defer { answers = [] }
        return SenderObservation(
            name: name, isRunning: isRunning, incarnation: incarnation,
            groups: [
                GroupObservation(
                    name: group.name, isKnown: isRunning, state: state, timebase: timebase, generation: generation,
                    connections: isRunning ? connections : [])
            ],
            acknowledgements: answers, clocks: [clock])
    }
}
