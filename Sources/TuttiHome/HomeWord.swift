/// The last level of a topic for commands.
package enum HomeWord: String, Sendable, CaseIterable {
    /// Plays what the message names, in place of what is played.
    case play
    /// Resumes what is paused or stopped.
    case resume
    case pause
    case toggle
    case stop
    case next
    case previous
    /// Moves within the track.
    case seek
    case volume
    case mute
    case shuffle
    case `repeat`
    /// Minutes until it ends.
    case sleep
    /// Makes an announcement.
    case say

    /// Those that a place takes.
    package static func taken(by place: HomePlace) -> [HomeWord] {
        switch place {
        case .service: [.resume, .pause, .toggle, .stop, .say]
        case .group: allCases
        case .room: [.play, .volume, .mute, .say]
        }
    }

    /// Whether a later message of a topic makes an earlier one void that was not carried out yet.
    var replacesEarlier: Bool {
        switch self {
        case .volume, .mute, .shuffle, .repeat, .sleep: true
        default: false
        }
    }

    /// The longest message, in bytes.
    var limit: Int {
        switch self {
        case .play, .say: 64 << 10
        default: 64
        }
    }
}
