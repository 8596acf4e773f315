import FoundationEssentials
import TuttiPOSIX

/// A command to the player that runs for this user, given without what playing itself needs: loading that takes several
/// times as long as everything else between a command and the ear.
///
/// It is one whose words are as they should be: all others, and those that the player refuses, belong to the whole program,
/// which knows what to say.
package struct QuickCommand: Sendable, Equatable {
    /// The line of the control socket.
    struct Request: Sendable, Equatable, Encodable {
        var command: String
        var position: String?
        var room: String?
        var volume: String?
        var muted: Bool?
        var rate: Double?
        var entries: [Int]?
        var mode: String?
        var seconds: Double?
        var group: String?
    }

    /// What came of it.
    package enum Outcome: Sendable, Equatable {
        /// It was done; what is to be printed.
        case done(text: String)
        /// Nobody has done anything.
        case refused
        /// Nobody knows.
        case unanswered
    }

    private(set) var request: Request

    /// Reads what stands behind `tutti`; nil for what is not such a command.
    ///
    /// - Parameter group: which of the groups that play is meant where the words do not say so.
    package init?(_ words: [String], group: String? = nil) {
        guard let (words, named) = Self.withoutGroup(words) else { return nil }
        self.init(words)
        request.group = named ?? group
    }

    private init?(_ words: [String]) {
        guard let verb = words.first, words.count <= 3 else { return nil }
        let rest = Array(words.dropFirst())
        switch (verb, rest.count) {
        case ("pause", 0), ("resume", 0), ("toggle", 0), ("stop", 0), ("next", 0), ("previous", 0):
            request = Request(command: verb)
        case ("prev", 0): request = Request(command: "previous")
        case ("seek", 1):
            guard Self.isNumber(rest[0], ":") else { return nil }
            request = Request(command: verb, position: rest[0])
        case ("volume", 1...2):
            guard let volume = rest.last, Self.isNumber(volume), let room = Self.room(rest.dropLast()) else {
                return nil
            }
            request = Request(command: verb, room: room.name, volume: volume)
        case ("mute", 1...2):
            let mode = rest.last.flatMap { ["on": true, "off": false][$0] }
            guard let room = Self.room(mode == nil ? rest[...] : rest.dropLast()) else { return nil }
            request = Request(command: verb, room: room.name, muted: mode ?? true)
        case ("rate", 1):
            guard Self.isNumber(rest[0]), let rate = Double(rest[0]) else { return nil }
            request = Request(command: verb, rate: rate)
        case ("crossfade", 1):
            guard Self.isNumber(rest[0]), let seconds = Double(rest[0]) else { return nil }
            request = Request(command: verb, seconds: seconds)
        default:
            guard let edit = Self.edit(verb, rest) else { return nil }
            request = edit
        }
    }

    /// The words without `--group NAME`, and the name; nil for what belongs to the whole program.
    private static func withoutGroup(_ words: [String]) -> (words: [String], group: String?)? {
        guard let place = words.firstIndex(where: { $0 == "--group" || $0.hasPrefix("--group=") }) else {
            return (words, nil)
        }
        var rest = words
        let option = rest.remove(at: place)
        var name = String(option.dropFirst("--group=".count))
        if option == "--group" {
            guard place < rest.count else { return nil }
            name = rest.remove(at: place)
        }
        return name.isEmpty || name.hasPrefix("-") ? nil : (rest, name)
    }

    /// Edits of the queue that bring nothing new into it.
    private static func edit(_ verb: String, _ rest: [String]) -> Request? {
        switch (verb, rest.count) {
        case ("clear", 0): return Request(command: verb)
        case ("jump", 1), ("move", 2), ("remove", 1...):
            let entries = rest.compactMap(entry)
            return entries.count == rest.count ? Request(command: verb, entries: entries) : nil
        case ("shuffle", 0): return Request(command: verb, mode: "on")
        case ("shuffle", 1), ("consume", 1):
            return ["on", "off"].contains(rest[0]) ? Request(command: verb, mode: rest[0]) : nil
        case ("repeat", 1):
            return ["off", "all", "one"].contains(rest[0]) ? Request(command: verb, mode: rest[0]) : nil
        default: return nil
        }
    }

    /// The place of an entry, from 0, by the number that people are shown.
    private static func entry(_ text: String) -> Int? {
        guard text.allSatisfy(\.isNumber), let number = Int(text), (1...1_000_000).contains(number) else { return nil }
        return number - 1
    }

    /// Gives the command over the socket at `path`.
    package func give(at path: String) -> Outcome {
        guard let socket = UnixSocket.connected(to: path, timeoutSeconds: 5),
            let line = try? JSONEncoder().encode(request), socket.send(Array(line) + [UInt8(ascii: "\n")])
        else { return .refused }
        guard let answer = socket.line(limit: Self.answerLimit),
            let response = try? JSONDecoder().decode(Response.self, from: Data(answer))
        else { return .unanswered }
        return response.ok ? .done(text: text(response)) : .refused
    }

    /// The player's socket, for a user in an environment.
    package static func socket(environment: [String: String], userID: UInt32) -> String {
        RuntimeDirectory.path(environment: environment, userID: userID) + "/control.sock"
    }

    // MARK: Words

    /// The longest answer: many rooms take some space.
    private static let answerLimit = 4 << 20

    private struct Response: Decodable {
        struct Status: Decodable { var rooms: [Room] }
        struct Room: Decodable {
            var name: String
            var volume: Double?
            var muted: Bool?
        }
        var ok: Bool
        var status: Status?
        var room: String?
    }

    /// How loud the rooms are by now, where that was asked for.
    private func text(_ response: Response) -> String {
        guard request.command == "volume" || request.command == "mute" else { return "" }
        let rooms = (response.status?.rooms ?? []).filter {
            request.room == nil || $0.name == response.room || $0.name.lowercased() == request.room?.lowercased()
        }
        return rooms.compactMap { room in
            guard let volume = room.volume else { return nil }
            let level = request.command == "mute" && room.muted == true ? "muted" : "\(Int(volume.rounded()))"
            return "\(room.name) \(level)\n"
        }.joined()
    }

    private static func isNumber(_ text: String, _ more: String = "") -> Bool {
        !text.isEmpty && text.allSatisfy { "0123456789.+-".contains($0) || more.contains($0) }
    }

    /// The room in front of the other words, if there is one; nil for what may be an option.
    private static func room(_ words: ArraySlice<String>) -> (name: String?, Void)? {
        guard let name = words.first else { return (nil, ()) }
        return words.count == 1 && !name.isEmpty && !name.hasPrefix("-") ? (name, ()) : nil
    }
}
