/// What a speaker makes known of its part in a group clock, so that speakers can share one before anybody plays.
package struct SpeakerClock: Sendable, Hashable {
    /// The UDP port at which it is asked for the time.
    package var port: UInt16
    /// Whether its host is on the network by radio: such a one leads only where nobody else does.
    package var isWireless: Bool
    /// The raw value of the timescale that it knows well enough to pass on; nil while it knows none.
    package var timescale: UInt64?
    /// The id of whoever began that clock.
    package var origin: String
    /// Whether it leads that clock.
    package var isLeading: Bool
    /// What shows members of its household that the speaker itself says this; empty where it is nobody's.
    package var mark = ""

    /// A part in a clock.
    package init(
        port: UInt16, isWireless: Bool = false, timescale: UInt64? = nil, origin: String = "", isLeading: Bool = false
    ) {
        self.port = port
        self.isWireless = isWireless
        self.timescale = timescale
        self.origin = origin
        self.isLeading = isLeading
    }

    /// What the mark is about: all that the record says of the clock, and of whom.
    package func text(of speaker: String) -> String {
        "tutti part 2\n\(speaker)\n" + claims.map { "\($0.key)=\($0.value)\n" }.joined()
    }

    /// The values of a TXT record: `time` (the port), `link`, `clock` (sixteen hexadecimal digits), `origin`, `leads`
    /// and `mark`.
    var values: [(key: String, value: String)] { claims + (mark.isEmpty ? [] : [("mark", mark)]) }

    private var claims: [(key: String, value: String)] {
        var values = [("time", String(port)), ("link", isWireless ? "wireless" : "wired")]
        guard let timescale else { return values }
        let digits = String(timescale, radix: 16)
        values.append(("clock", String(repeating: "0", count: 16 - digits.count) + digits))
        values.append(("origin", origin))
        values.append(("leads", isLeading ? "1" : "0"))
        return values
    }

    /// Reads the values of a TXT record; nil where none says at which port the speaker is asked.
    init?(values: [String: String]) {
        guard let port = values["time"].flatMap({ UInt16($0) }), port > 0 else { return nil }
        let timescale = values["clock"].flatMap { $0.utf8.count == 16 ? UInt64($0, radix: 16) : nil }
        self.init(
            port: port, isWireless: values["link"] == "wireless", timescale: timescale == 0 ? nil : timescale,
            origin: values["origin"] ?? "", isLeading: values["leads"] == "1")
        mark = values["mark"] ?? ""
    }
}
