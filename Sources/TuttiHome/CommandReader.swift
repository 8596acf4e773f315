import TuttiCore
import TuttiRemote
import TuttiSchema

/// Makes commands of messages. Both topic and payload are outside input: everything is bounded and checked.
package struct CommandReader: Sendable {
    private let model: HomeModel

    /// A reader for the places that a model knows.
    package init(_ model: HomeModel) { self.model = model }

    /// What a message asks for.
    ///
    /// - Parameter isRetained: whether the broker has kept it for whoever connects.
    /// - Throws: why it is ignored.
    package func command(
        at place: HomePlace, _ word: String, _ payload: [UInt8], isRetained: Bool
    ) throws(CommandFault) -> HomeCommand {
        // It would be carried out at each connection again.
        guard !isRetained else { throw CommandFault("a retained message is no command; publish it without --retain") }
        guard let known = HomeWord(rawValue: word), HomeWord.taken(by: place).contains(known) else {
            throw CommandFault("there is no such command")
        }
        guard payload.count <= known.limit else { throw CommandFault("more than \(known.limit) bytes") }
        guard let text = String(validating: payload, as: UTF8.self) else { throw CommandFault("no UTF-8") }
        guard model.view != nil else { throw CommandFault("the service does not answer") }
        let words = Self.trimmed(text)
        let request = try request(at: place, known, words)
        let line = place.path + (known == .say ? "/say" : "")
        let isStep = known == .volume && ["+", "-"].contains(words.first)
        return HomeCommand(
            request, line: line,
            replaces: known.replacesEarlier && !isStep ? "\(place.path)/\(known.rawValue)" : nil,
            name: "\(known.rawValue)\(place.path)")
    }

    private func request(
        at place: HomePlace, _ word: HomeWord, _ text: String
    ) throws(CommandFault) -> ControlRequest {
        switch place {
        case .service: return try forAll(word, text)
        case .room(let slug):
            guard let room = model.room(slug) else {
                throw CommandFault("there is no such room, or it does not answer")
            }
            return try forRoom(room, word, text)
        case .group(let slug):
            guard let group = model.group(slug) else { throw CommandFault("there is no such group") }
            return try forGroup(slug, group.name, word, text)
        }
    }

    private func forAll(_ word: HomeWord, _ text: String) throws(CommandFault) -> ControlRequest {
        if word == .say {
            var order = try order(text)
            if order.rooms.isEmpty, order.groups.isEmpty {
                order.rooms = (model.view?.rooms ?? []).filter { $0.state != .unreachable }.map(RoomName.full)
                order.any = true
            }
            return ControlRequest(.say(order, detach: true))
        }
        guard let command = Self.transport[word] else { throw CommandFault("there is no such command") }
        var request = ControlRequest(command)
        request.target = .all
        return request
    }

    private func forRoom(_ room: RoomStatus, _ word: HomeWord, _ text: String) throws(CommandFault) -> ControlRequest {
        switch word {
        case .volume: return ControlRequest(.volume(try volume(text), room: room.name))
        case .mute: return ControlRequest(.mute(try isOn(text), room: room.name))
        default:
            var order = try order(text)
            if order.rooms.isEmpty, order.groups.isEmpty { order.rooms = [RoomName.full(room)] }
            return ControlRequest(word == .say ? .say(order, detach: true) : .play(order, name: nil, detach: true))
        }
    }

    private func forGroup(
        _ slug: String, _ name: String, _ word: HomeWord, _ text: String
    ) throws(CommandFault) -> ControlRequest {
        if let command = Self.transport[word] { return ControlRequest(command, group: name) }
        switch word {
        case .play:
            return ControlRequest(.play(placed(try order(text), slug), name: name, detach: true))
        case .say: return ControlRequest(.say(placed(try order(text), slug), detach: true))
        case .volume:
            var change = try volume(text)
            if case .to(let volume) = change { change = .balanced(volume) }
            return ControlRequest(.volume(change, room: nil), group: name)
        case .mute: return ControlRequest(.mute(try isOn(text), room: nil), group: name)
        case .shuffle: return ControlRequest(.shuffle(try isOn(text)), group: name)
        case .repeat:
            guard let mode = RepeatMode(rawValue: text.lowercased()) else {
                throw CommandFault("repeat is off, all, one or single")
            }
            return ControlRequest(.repeat(mode), group: name)
        case .sleep:
            guard let minutes = number(text), HomeCommand.minutes.contains(minutes) else {
                throw CommandFault("a sleep timer is a number of minutes from 0 to 1440")
            }
            return ControlRequest(.sleep(seconds: minutes * 60), group: name)
        case .seek:
            guard let target = SeekTarget(parsing: text) else {
                throw CommandFault("a position is T, +T or -T, in seconds or M:SS, or live")
            }
            return ControlRequest(.seek(target), group: name)
        case .resume, .pause, .toggle, .stop, .next, .previous: throw CommandFault("there is no such command")
        }
    }

    /// Commands of which the message says nothing.
    private static let transport: [HomeWord: PlayerCommand] = [
        .resume: .resume(), .pause: .pause, .toggle: .toggle(), .stop: .stop, .next: .next, .previous: .previous,
    ]

    /// An order with a place: if it names none, this group.
    private func placed(_ order: PlayOrder, _ slug: String) -> PlayOrder {
        guard order.rooms.isEmpty, order.groups.isEmpty, let group = model.group(slug) else { return order }
        var placed = order
        if group.isNamed {
            placed.groups = [group.name]
        } else {
            placed.rooms = group.status?.rooms.map(RoomName.full) ?? group.rooms
        }
        return placed
    }

    // MARK: Payloads

    /// Tracks in one order, at most, and characters of an address.
    private static let (mostInputs, longestAddress) = (1_000, 4_096)

    /// An absolute path, an address, a name such as `station:jazz`, or an order as `docs/json.md` has it.
    private func order(_ text: String) throws(CommandFault) -> PlayOrder {
        if text.hasPrefix("{") {
            guard let order: PlayOrder = JSONLine.decode(text.utf8) else { throw CommandFault("this is not an order") }
            guard (1...Self.mostInputs).contains(order.inputs.count) else {
                throw CommandFault("an order has 1 to \(Self.mostInputs) inputs")
            }
            for input in order.inputs { try check(input.uri) }
            return order
        }
        try check(text)
        return PlayOrder(inputs: [ControlInput(uri: text)])
    }

    private func check(_ address: String) throws(CommandFault) {
        let isPlace = address.hasPrefix("/") || address.firstRange(of: "://") != nil
        guard isPlace || InputName(address) != nil else {
            throw CommandFault(
                "what to play is an absolute path, an address, a name such as station:jazz or a JSON order")
        }
        guard address.utf8.count <= Self.longestAddress, PeerText.shown(address) == address else {
            throw CommandFault("an address has at most \(Self.longestAddress) bytes, and no control characters")
        }
    }

    private func volume(_ text: String) throws(CommandFault) -> VolumeChange {
        guard let change = VolumeChange(parsing: text) else { throw CommandFault("a volume is 0-100, +N or -N") }
        return change
    }

    private func isOn(_ text: String) throws(CommandFault) -> Bool {
        switch text.lowercased() {
        case "on", "true": return true
        case "off", "false": return false
        default: throw CommandFault("it is ON or OFF")
        }
    }

    /// Without blanks and line ends at both ends.
    private static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// A decimal number; nil for what is none, such as `nan` and `0x10`.
    private func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "x") && $0 != UInt8(ascii: "X") }), let value = Double(text),
            value.isFinite
        else { return nil }
        return value
    }
}
