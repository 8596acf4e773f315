/// What a person asks of a group of rooms. Places in the queue count from 0, times are in nanoseconds.
package enum UserCommand: Sendable, Hashable, Codable {
    case pause, resume, stop, next, previous, clear
    /// Begins the queue anew from its first piece: after `stop`, or where nothing was played at the start.
    case play
    /// To this place in the piece.
    case seek(Int64)
    /// A song of the scenario at the end of the queue.
    case add(String)
    /// A song of the scenario behind the piece that is heard.
    case insert(String)
    case remove(Int)
    case move(from: Int, to: Int)
    case jump(Int)
    case shuffle(Bool)
    case consume(Bool)
    case repeats(Repeats)
    /// How long a piece and the next are heard together.
    case crossfade(Int64)
    /// 0.5 … 2.
    case rate(Double)
    /// 0 … 100.
    case volume(room: String, Int)
    case mute(room: String, Bool)
    /// Takes a room into the group, from another if need be.
    case addRoom(String)
    case removeRoom(String)

    /// What follows the end of a queue.
    package enum Repeats: String, Sendable, Hashable, Codable, CaseIterable {
        case off, all, one
    }
}
