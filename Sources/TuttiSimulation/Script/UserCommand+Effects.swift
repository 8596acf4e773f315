extension UserCommand {
    /// Whether rooms may go back, or begin something anew, because of it.
    var mayGoBack: Bool {
        switch self {
        case .stop, .next, .previous, .clear, .play, .seek, .insert, .remove, .move, .jump, .shuffle, .consume,
            .repeats, .crossfade, .rate, .addRoom, .removeRoom:
            true
        case .pause, .resume, .add, .volume, .mute: false
        }
    }

    /// Whether what it asked for stands in a group's state; true also where the state has no field for it.
    func stands(in state: GroupState) -> Bool {
        switch self {
        case .pause, .stop: !state.isPlaying
        case .add(let song), .insert(let song): state.queue.contains { $0.song == song }
        case .shuffle(let isOn): state.isShuffled == isOn
        case .consume(let isOn): state.consumes == isOn
        case .repeats(let mode): state.repeats == mode
        case .crossfade(let length): state.crossfade == length
        case .rate(let rate): state.rate == rate
        case .volume(let room, let percent): state.level(room)?.volume.map { abs($0 - Double(percent)) < 0.5 } ?? true
        case .mute(let room, let isOn): state.level(room)?.isMuted.map { $0 == isOn } ?? true
        case .addRoom(let room): state.level(room) != nil
        case .removeRoom(let room): state.level(room) == nil
        case .play, .resume, .next, .previous, .clear, .seek, .remove, .move, .jump: true
        }
    }

    /// The parts of a group's state that it may change.
    var parts: GroupState.Parts {
        switch self {
        case .pause, .resume, .seek: .transport
        case .play: [.transport, .queue, .modes, .rooms]
        case .stop, .next, .previous, .jump, .clear, .add, .insert, .remove, .move: [.transport, .queue]
        case .shuffle, .consume, .repeats: [.queue, .modes]
        case .crossfade, .rate: .modes
        case .volume, .mute, .addRoom, .removeRoom: .rooms
        }
    }
}
