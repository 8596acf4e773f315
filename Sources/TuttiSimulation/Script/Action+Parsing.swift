extension Action {
    /// Reads an action from the rest of a line.
    init(_ words: inout WordReader) throws(SyntaxFault) {
        let verb = try words.next("the event")
        if let impairment = try Self.impairment(verb, &words) {
            self = impairment
            return
        }
        if let action = Self.ofMachines[verb] {
            self = action(try words.machine())
            return
        }
        if let action = Self.ofRooms[verb] {
            self = action(try words.next("the room"))
            return
        }
        switch verb {
        case "heal": self = .heal
        case "partition":
            var machines = [try words.machine()]
            while !words.isAtEnd { machines.append(try words.machine()) }
            self = .partition(machines)
        case "step": self = .step(try words.machine(), by: try TimeText.parse(try words.next("the distance")))
        case "drift": self = .drift(try words.machine(), ppm: try Self.ppm(try words.next("the ppm")))
        case "user":
            self = .user(
                sender: try words.next("the sender"), group: try words.next("the group"), try UserCommand(&words))
        default:
            throw SyntaxFault("'\(verb)' is not an event; use \(verbs.joined(separator: ", "))")
        }
    }

    /// What happens to a machine, or to a room, and has no more to it.
    private static let ofMachines: [String: @Sendable (Machine) -> Action] = [
        "kill": Action.kill, "restart": Action.restart, "freeze": Action.freeze, "thaw": Action.thaw,
        "suspend": Action.suspend, "wake": Action.wake, "cut": Action.cut, "mend": Action.mend,
        "readdress": Action.readdress, "diskfull": Action.diskFull, "diskfree": Action.diskFree,
    ]
    private static let ofRooms: [String: @Sendable (String) -> Action] = [
        "xrun": Action.xrun, "unplug": Action.unplug, "plug": Action.plug,
    ]

    /// ppm of an oscillator, −500 … 500: what any crystal keeps to.
    static func ppm(_ text: some StringProtocol) throws(SyntaxFault) -> Double {
        let value = try NumberText.number(text)
        guard abs(value) <= 500 else { throw SyntaxFault("\(text) ppm is out of range; use -500 to 500") }
        return value
    }

    private static func impairment(_ verb: String, _ words: inout WordReader) throws(SyntaxFault) -> Action? {
        switch verb {
        case "slow": .impair(try words.machine(), .slow(bitsPerSecond: try NumberText.rate(try words.next("the rate"))))
        case "lose": .impair(try words.machine(), .lose(share: try share(&words)))
        case "corrupt": .impair(try words.machine(), .corrupt(share: try share(&words)))
        case "duplicate": .impair(try words.machine(), .duplicate(share: try share(&words)))
        case "reorder":
            .impair(try words.machine(), .reorder(share: try share(&words), by: try length(&words)))
        case "stall": .impair(try words.machine(), .stall(try length(&words)))
        case "blackhole":
            .impair(try words.machine(), .blackHole(bytes: Int64(try words.integer("size", in: 64...65_535))))
        default: nil
        }
    }

    private static func share(_ words: inout WordReader) throws(SyntaxFault) -> Double {
        try NumberText.share(try words.next("the share"))
    }

    private static func length(_ words: inout WordReader) throws(SyntaxFault) -> Int64 {
        let word = try words.next("the length")
        let length = try TimeText.parse(word)
        guard length >= 0 else { throw SyntaxFault("'\(word)' is out of range; use 0s or more") }
        return length
    }
}

/// All words that an action begins with, as a reader of a message wants to see them.
private let verbs = [
    "kill", "restart", "freeze", "thaw", "suspend", "wake", "cut", "mend", "partition", "heal", "slow", "lose",
    "corrupt", "duplicate", "reorder", "stall", "blackhole", "readdress", "step", "drift", "xrun", "unplug", "plug",
    "diskfull", "diskfree", "user",
]
