/// Reads a script line by line.
struct ScriptReader {
    private(set) var script: Script
    private var house: Scenario

    init(_ house: Scenario) {
        self.house = house
        script = Script(seed: house.seed)
    }

    /// Takes a line without its remark.
    mutating func read(_ line: Substring) throws(SyntaxFault) {
        var words = WordReader(line)
        guard !words.isAtEnd else { return }
        switch try words.next("a step") {
        case "seed":
            let word = try words.next("the seed")
            guard let seed = UInt64(word) else { throw SyntaxFault("'\(word)' is not a seed; use a whole number") }
            script.seed = seed
        case "duration": script.duration = try Self.duration(try words.next("the duration"))
        case "rooms": try readRooms(&words)
        default: return try readStep(line)
        }
        try words.end()
    }

    private mutating func readRooms(_ words: inout WordReader) throws(SyntaxFault) {
        guard script.steps.isEmpty else { throw SyntaxFault("rooms must be named before the first step") }
        var names: [String] = []
        repeat {
            let name = try words.next("the room")
            if let message = Scenario.missing("room", name, in: house.rooms.map(\.name)) { throw SyntaxFault(message) }
            names.append(name)
        } while !words.isAtEnd
        script.rooms = names
        house = house.restricted(to: script)
    }

    private mutating func readStep(_ line: Substring) throws(SyntaxFault) {
        let step = try Step(line: line)
        if let last = script.steps.last, last.at > step.at {
            throw SyntaxFault("\(TimeText.text(step.at)) is before the step above; sort the steps by time")
        }
        if let message = house.missing(for: step.action) { throw SyntaxFault(message) }
        script.steps.append(step)
    }

    /// How long a run may take: up to a week.
    static func duration(_ text: some StringProtocol) throws(SyntaxFault) -> Int64 {
        let value = try TimeText.parse(text)
        guard value > 0, value <= 7 * 86_400_000_000_000 else {
            throw SyntaxFault("'\(text)' is not a duration; use a time of up to a week (168h)")
        }
        return value
    }
}
