import TuttiCore

extension ClockAnnouncement {
    init(_ fields: FieldReader) throws {
        self.init(
            timescale: try fields.timescale("timescale"), origin: try fields.optionalString("origin") ?? "",
            leaderID: try fields.optionalString("leaderID"), leaderHost: try fields.optionalString("leaderHost"),
            leaderPort: try fields.integer("leaderPort", in: 1...UInt16.max),
            senderPort: try fields.optionalInteger("senderPort", in: 1...UInt16.max),
            standIns: try fields.texts("standIns").map { parts in
                guard parts.count == 3, let port = UInt16(parts[2]), port > 0 else {
                    throw fields.invalid("standIns", "contains an entry that is not an id, host and port")
                }
                return StandIn(id: parts[0], host: parts[1], port: port)
            })
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.set("timescale", hexadecimal(timescale.rawValue))
        try fields.text("origin", origin)
        try fields.text("leaderID", leaderID)
        try fields.text("leaderHost", leaderHost)
        try fields.set("leaderPort", leaderPort)
        if let senderPort { try fields.set("senderPort", senderPort) }
        try fields.texts("standIns", standIns.map { [$0.id, $0.host, String($0.port)] })
    }
}

extension KnownClock {
    /// The clock in a welcome; nil when it names none.
    init?(_ fields: FieldReader) throws {
        guard let time = try fields.optionalInteger("clockTime", in: WireLimits.groupNanoseconds) else { return nil }
        self.init(
            timescale: try fields.timescale("clockTimescale"), time: time,
            origin: try fields.optionalString("clockOrigin") ?? "",
            leaderID: try fields.optionalString("clockLeader"))
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.set("clockTime", time)
        try fields.set("clockTimescale", hexadecimal(timescale.rawValue))
        try fields.text("clockOrigin", origin)
        try fields.text("clockLeader", leaderID)
    }
}
