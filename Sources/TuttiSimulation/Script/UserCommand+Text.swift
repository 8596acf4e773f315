import TuttiCore

extension UserCommand: CustomStringConvertible {
    /// The command's words in a script. Reading them gives the same command.
    package var description: String {
        switch self {
        case .pause: "pause"
        case .resume: "resume"
        case .stop: "stop"
        case .next: "next"
        case .previous: "previous"
        case .clear: "clear"
        case .play: "play"
        case .seek(let place): "seek \(TimeText.text(place))"
        case .add(let song): "add \(song)"
        case .insert(let song): "insert \(song)"
        case .remove(let place): "remove \(place)"
        case .move(let from, let to): "move \(from) \(to)"
        case .jump(let place): "jump \(place)"
        case .shuffle(let isOn): "shuffle \(isOn ? "on" : "off")"
        case .consume(let isOn): "consume \(isOn ? "on" : "off")"
        case .repeats(let mode): "repeat \(mode.rawValue)"
        case .crossfade(let length): "crossfade \(TimeText.text(length))"
        case .rate(let rate): "rate \(rate)"
        case .volume(let room, let percent): "volume \(room) \(percent)"
        case .mute(let room, let isOn): "mute \(room) \(isOn ? "on" : "off")"
        case .addRoom(let room): "add-room \(room)"
        case .removeRoom(let room): "remove-room \(room)"
        }
    }

    /// Reads a command from the rest of a line.
    init(_ words: inout WordReader) throws(SyntaxFault) {
        let places = 0...1_000_000
        let verb = try words.next("the command")
        switch verb {
        case "pause": self = .pause
        case "resume": self = .resume
        case "stop": self = .stop
        case "next": self = .next
        case "previous": self = .previous
        case "clear": self = .clear
        case "play": self = .play
        case "seek": self = .seek(try TimeText.parse(try words.next("the time"), in: 0...86_400_000_000_000))
        case "add": self = .add(try words.next("the song"))
        case "insert": self = .insert(try words.next("the song"))
        case "remove": self = .remove(try words.integer("place", in: places))
        case "move":
            self = .move(from: try words.integer("place", in: places), to: try words.integer("place", in: places))
        case "jump": self = .jump(try words.integer("place", in: places))
        case "shuffle": self = .shuffle(try words.flag("on or off"))
        case "consume": self = .consume(try words.flag("on or off"))
        case "repeat": self = .repeats(try words.choice("mode", RepeatMode.self))
        case "crossfade":
            self = .crossfade(try TimeText.parse(try words.next("the time"), in: 0...12_000_000_000))
        case "rate": self = .rate(try Self.rate(try words.next("the rate")))
        case "volume":
            self = .volume(room: try words.next("the room"), try words.integer("volume", in: 0...100))
        case "mute": self = .mute(room: try words.next("the room"), try words.flag("on or off"))
        case "add-room": self = .addRoom(try words.next("the room"))
        case "remove-room": self = .removeRoom(try words.next("the room"))
        default:
            throw SyntaxFault("'\(verb)' is not a command; use \(verbs.joined(separator: ", "))")
        }
    }

    private static func rate(_ word: String) throws(SyntaxFault) -> Double {
        let rate = try NumberText.number(word)
        guard (0.5...2).contains(rate) else { throw SyntaxFault("'\(word)' is not a rate; use 0.5 to 2") }
        return rate
    }
}

/// All words that a command begins with.
private let verbs = [
    "play", "pause", "resume", "stop", "next", "previous", "seek", "add", "insert", "remove", "move", "jump", "clear",
    "shuffle", "consume", "repeat", "crossfade", "rate", "volume", "mute", "add-room", "remove-room",
]
