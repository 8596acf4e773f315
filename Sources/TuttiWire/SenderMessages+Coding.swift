import FoundationEssentials
import TuttiCore

extension Hello {
    init(_ fields: FieldReader) throws {
        self.init(
            role: try fields.choice("role"), version: try fields.integer("version", in: 0...Int(Int32.max)),
            senderID: try fields.string("senderID"), senderName: try fields.optionalString("senderName") ?? "",
            stream: try fields.optionalInteger("stream", in: 0...UInt32.max),
            policy: try fields.optionalChoice("policy") ?? .longForm,
            isClaim: try fields.optionalString("claim") == Self.claim,
            session: try fields.optionalString("session"), proof: try fields.optionalString("proof"),
            clock: try fields.optionalString("timescale").map { _ in try ClockAnnouncement(fields) },
            trust: try TrustHandover(optional: fields), effects: try EffectsRequest(optional: fields))
        guard !senderID.isEmpty else { throw fields.invalid("senderID", "is empty") }
    }

    /// Who claims: later versions may know others than people.
    private static let claim = "user"

    func write(to fields: inout FieldWriter) throws {
        try fields.set("role", role.rawValue)
        try fields.set("version", version)
        try fields.text("senderID", senderID)
        try fields.text("senderName", senderName)
        try fields.optional("stream", stream)
        // The usual one is left out: it is what a speaker takes for granted that does not know the field.
        if policy != .longForm { try fields.set("policy", policy.rawValue) }
        if isClaim { try fields.set("claim", Self.claim) }
        try fields.text("session", session)
        try fields.text("proof", proof)
        try clock?.write(to: &fields)
        try trust?.write(to: &fields)
        try effects?.write(to: &fields)
    }
}

extension FieldReader {
    fileprivate func magicCookie() throws -> [UInt8] {
        let cookie = try optionalString("magicCookie", maximumBytes: WireLimits.magicCookieBytes * 4 / 3 + 4)
        guard let data = Data(base64Encoded: cookie ?? ""), data.count <= WireLimits.magicCookieBytes else {
            throw invalid("magicCookie", "is not base64 of a valid length")
        }
        return Array(data)
    }
}

extension FieldWriter {
    fileprivate mutating func magicCookie(_ cookie: [UInt8]) throws {
        guard !cookie.isEmpty else { return }
        try set("magicCookie", Data(cookie.prefix(WireLimits.magicCookieBytes)).base64EncodedString())
    }
}

extension VideoFormat {
    init(_ fields: FieldReader) throws {
        let aspects = 1...65_535
        let aspect = PixelAspectRatio(
            horizontalSpacing: try fields.optionalInteger("pixelWidth", in: aspects) ?? 1,
            verticalSpacing: try fields.optionalInteger("pixelHeight", in: aspects) ?? 1)
        let format = VideoFormat(
            codec: try fields.choice("codec"), width: try fields.integer("width", in: Limits.sides),
            height: try fields.integer("height", in: Limits.sides), pixelAspectRatio: aspect ?? .square,
            magicCookie: try fields.magicCookie())
        guard let format else { throw fields.invalid("width", "makes a picture that is too large") }
        self = format
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.set("codec", codec.rawValue)
        try fields.set("width", width)
        try fields.set("height", height)
        if pixelAspectRatio != .square {
            try fields.set("pixelWidth", pixelAspectRatio.horizontalSpacing)
            try fields.set("pixelHeight", pixelAspectRatio.verticalSpacing)
        }
        try fields.magicCookie(magicCookie)
    }
}

extension AudioFormat {
    init(_ fields: FieldReader) throws {
        let format = AudioFormat(
            codec: try fields.choice("codec"), sampleRate: try fields.integer("sampleRate", in: Limits.sampleRates),
            channelCount: try fields.integer("channels", in: Limits.channelCounts),
            bitDepth: try fields.integer("bits", in: Limits.bitDepths), magicCookie: try fields.magicCookie())
        guard let format else { throw fields.invalid("codec", "has an unsupported format") }
        self = format
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.set("codec", codec.rawValue)
        try fields.set("sampleRate", sampleRate)
        try fields.set("channels", channelCount)
        try fields.set("bits", bitDepth)
        try fields.magicCookie(magicCookie)
    }
}

extension TimebaseCommand {
    init(_ fields: FieldReader) throws {
        let group = try fields.integer("group", in: WireLimits.groupNanoseconds)
        self.init(
            rate: try fields.number("rate", in: 0...1), media: try fields.time("media"),
            group: GroupTime(nanoseconds: group, timescale: try fields.timescale("timescale")))
        guard rate == 0 || rate == 1 else { throw fields.invalid("rate", "is neither 0 nor 1") }
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.figure("rate", rate)
        try fields.time("media", media)
        try fields.set("group", group.nanoseconds)
        try fields.set("timescale", hexadecimal(group.timescale.rawValue))
    }
}

extension VolumeCommand {
    init(_ fields: FieldReader) throws {
        self.init(
            percent: try fields.number("percent", in: 0...100), isMuted: try fields.flag("muted"),
            rampMs: try fields.optionalNumber("rampMs", in: WireLimits.rampMs) ?? 50)
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.figure("percent", min(max(percent, 0), 100))
        try fields.set("muted", isMuted)
        try fields.figure("rampMs", min(max(rampMs, 0), WireLimits.rampMs.upperBound))
    }
}
