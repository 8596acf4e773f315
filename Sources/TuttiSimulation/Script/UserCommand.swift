package import TuttiCore
import TuttiSchema

/// What a person asks of a group of rooms. Places in the queue count from 0, times are in nanoseconds.
package enum UserCommand: Sendable, Hashable, Codable {
    case pause, resume, stop, next, previous, clear
    /// Begins the queue anew from its first piece: after `stop`, or where nothing was played at the start.
    case play
    /// To this place in the piece.
    case seek(Int64)
    /// A song of the scenario at the end of the queue.
    case add(String)
    /// A song of the scenario behind the piece that plays.
    case insert(String)
    case remove(Int)
    case move(from: Int, to: Int)
    case jump(Int)
    case shuffle(Bool)
    case consume(Bool)
    case repeats(RepeatMode)
    /// How long a piece and the next play together.
    case crossfade(Int64)
    /// 0.5 … 2.
    case rate(Double)
    /// 0 … 100.
    case volume(room: String, Int)
    case mute(room: String, Bool)
    /// Takes a room into the group, from another if need be.
    case addRoom(String)
    case removeRoom(String)
}

extension UserCommand {
    /// What a controller would ask the group's player for; nil for what is not a player's to do.
    ///
    /// - Parameter input: makes a new entry of a song, or none where there is no such song.
    func playerCommand(_ input: (String) -> ControlInput?) -> PlayerCommand? {
        switch self {
        case .play, .addRoom, .removeRoom: nil
        case .pause: .pause
        case .resume: .resume()
        case .stop: .stop
        case .next: .next
        case .previous: .previous
        case .clear: .clear
        case .seek(let place): .seek(.to(MediaTime(value: place, timescale: 1_000_000_000) ?? .zero))
        case .add(let song): .add(input(song).map { [$0] } ?? [])
        case .insert(let song): .insert(input(song).map { [$0] } ?? [])
        case .remove(let place): .remove([.index(place)])
        case .move(let from, let to): .move(from: .index(from), to: to)
        case .jump(let place): .jump(.index(place))
        case .shuffle(let isOn): .shuffle(isOn)
        case .consume(let isOn): .consume(isOn)
        case .repeats(let mode): .repeat(mode)
        case .crossfade(let length): .crossfade(Double(length) * 1e-9)
        case .rate(let rate): .rate(rate)
        case .volume(let room, let percent): .volume(.to(Double(percent)), room: room)
        case .mute(let room, let isOn): .mute(isOn, room: room)
        }
    }
}
