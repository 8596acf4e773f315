import FoundationEssentials
import TuttiCore
import TuttiPOSIX
import TuttiSchema

/// A command to the player that runs for this user, given without what playing itself needs: loading that takes several
/// times as long as everything else between a command and the ear.
///
/// It is one whose words are as they should be: all others, and those that the player refuses, belong to the whole
/// program, which knows what to say.
package struct QuickCommand: Sendable, Equatable {
    /// What came of it.
    package enum Outcome: Sendable, Equatable {
        /// It was done; what is to be printed.
        case done(text: String)
        /// Nobody has done anything.
        case refused
        /// Nobody knows.
        case unanswered
    }

    private(set) var request: ControlRequest

    /// Reads what stands behind `tutti`; nil for what is not such a command.
    ///
    /// - Parameter group: which of the groups that play is meant where the words do not say so.
    package init?(_ words: [String], group: String? = nil) {
        guard let (words, named) = Self.withoutGroup(words), let command = Self.command(words) else { return nil }
        request = ControlRequest(command, group: named ?? group)
        if request.group != nil { request.keepBalance() }
    }

    private static func command(_ words: [String]) -> PlayerCommand? {
        guard let verb = words.first, words.count <= 3 else { return nil }
        let rest = Array(words.dropFirst())
        switch (verb, rest.count) {
        case ("pause", 0): return .pause
        case ("resume", 0): return .resume()
        case ("toggle", 0): return .toggle()
        case ("stop", 0): return .stop
        case ("next", 0): return .next
        case ("previous", 0), ("prev", 0): return .previous
        case ("seek", 1): return SeekTarget(parsing: rest[0]).map { .seek($0) }
        case ("volume", 1...2):
            guard let volume = rest.last.flatMap(VolumeChange.init(parsing:)), let room = room(rest.dropLast()) else {
                return nil
            }
            return .volume(volume, room: room.name)
        case ("mute", 1...2):
            let mode = rest.last.flatMap { ["on": true, "off": false][$0] }
            guard let room = room(mode == nil ? rest[...] : rest.dropLast()) else { return nil }
            return .mute(mode ?? true, room: room.name)
        case ("rate", 1): return number(rest[0]).map { .rate($0) }
        case ("crossfade", 1): return number(rest[0]).map { .crossfade($0) }
        case ("normalise", 1), ("normalize", 1):
            return LoudnessNormalization(rawValue: rest[0]).map { .normalise($0) }
        case ("night", 1): return isOn(rest[0]).map { .night($0) }
        case ("audio", 1): return (try? TrackChoice(parsing: rest[0], of: .audio)).map { .audio($0) }
        case ("subtitle", 1): return subtitle(rest[0])
        case ("chapter", 1): return ChapterTarget(parsing: rest[0]).map { .chapter($0) }
        default: return edit(verb, rest)
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
    private static func edit(_ verb: String, _ rest: [String]) -> PlayerCommand? {
        let entries = rest.compactMap(index)
        let areEntries = entries.count == rest.count
        switch (verb, rest.count) {
        case ("clear", 0): return .clear
        case ("jump", 1): return areEntries ? .jump(.index(entries[0])) : nil
        case ("move", 2): return areEntries ? .move(from: .index(entries[0]), to: entries[1]) : nil
        case ("remove", 1...): return areEntries ? .remove(entries.map { .index($0) }) : nil
        case ("shuffle", 0): return .shuffle(true)
        case ("shuffle", 1): return isOn(rest[0]).map { .shuffle($0) }
        case ("consume", 1): return isOn(rest[0]).map { .consume($0) }
        case ("repeat", 1): return RepeatMode(rawValue: rest[0]).map { .repeat($0) }
        default: return nil
        }
    }

    /// Subtitles; nil for a file, whose path the whole program makes one that the service finds.
    private static func subtitle(_ word: String) -> PlayerCommand? {
        guard let choice = try? TrackChoice(parsing: word, of: .subtitle) else { return nil }
        if case .file = choice { return nil }
        return .subtitle(choice)
    }

    private static func isOn(_ word: String) -> Bool? { ["on": true, "off": false][word] }

    /// The place of an entry, from 0, by the number that people are shown.
    private static func index(_ text: String) -> Int? {
        guard text.allSatisfy(\.isNumber), let number = Int(text), (1...1_000_000).contains(number) else { return nil }
        return number - 1
    }

    /// Gives the command over the socket at `path`.
    package func give(at path: String) -> Outcome {
        guard let socket = UnixSocket.connected(to: path, timeoutSeconds: 5),
            socket.send(JSONLine.encode(request) + [UInt8(ascii: "\n")])
        else { return .refused }
        guard let answer = socket.line(limit: Self.answerLimit),
            let response: ControlResponse = JSONLine.decode(answer)
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

    /// How loud the rooms are by now, where that was asked for.
    private func text(_ response: ControlResponse) -> String {
        guard request.word == .volume || request.word == .mute else { return "" }
        let named = request.room?.lowercased()
        let rooms = (response.status?.rooms ?? []).filter {
            named == nil || $0.name == response.room || $0.name.lowercased() == named
        }
        return rooms.compactMap { room in
            room.level(showsMute: request.word == .mute).map { "\(room.name) \($0)\n" }
        }.joined()
    }

    private static func number(_ text: String) -> Double? {
        text.allSatisfy { "0123456789.+-".contains($0) } ? Double(text) : nil
    }

    /// The room in front of the other words, if there is one; nil for what may be an option.
    private static func room(_ words: ArraySlice<String>) -> (name: String?, Void)? {
        guard let name = words.first else { return (nil, ()) }
        return words.count == 1 && !name.isEmpty && !name.hasPrefix("-") ? (name, ()) : nil
    }
}
