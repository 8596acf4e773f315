import TuttiCore
import TuttiSchema

extension Welcome {
    init(_ fields: FieldReader) throws {
        self.init(
            id: try fields.string("id"), name: try fields.string("name"),
            version: try fields.integer("version", in: 0...Int(Int32.max)), session: try fields.string("session"),
            bufferSeconds: try fields.number("bufferSeconds", in: 0...86_400),
            bufferBytes: try fields.integer("bufferBytes", in: 0...UInt64(Int64.max)),
            codecs: try fields.strings("codecs"), device: try fields.optionalString("device") ?? "",
            deviceFormat: try fields.optionalString("deviceFormat") ?? "",
            clockPort: try fields.optionalInteger("clockPort", in: 1...UInt16.max), clock: try KnownClock(fields),
            generation: try fields.optionalInteger("generation", in: 0...UInt32.max) ?? 0,
            loaded: try fields.ranges("loaded"),
            timebase: try fields.optionalNumber("rate") == nil ? nil : TimebaseCommand(fields),
            end: try fields.optionalTime("end"),
            reference: try ReferenceFit(optional: fields, prefix: "reference"), features: try fields.strings("features")
        )
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.text("id", id)
        try fields.text("name", name)
        try fields.set("version", version)
        try fields.text("session", session)
        try fields.figure("bufferSeconds", bufferSeconds)
        try fields.set("bufferBytes", min(bufferBytes, UInt64(Int64.max)))
        try fields.set("codecs", codecs.prefix(WireLimits.codecs).map { $0.cut(toBytes: WireLimits.codecBytes) })
        try fields.text("device", device)
        try fields.text("deviceFormat", deviceFormat)
        try fields.optional("clockPort", clockPort)
        try clock?.write(to: &fields)
        try fields.set("generation", generation)
        try fields.ranges("loaded", loaded)
        try timebase?.write(to: &fields)
        try fields.time("end", end)
        try reference?.write(to: &fields, prefix: "reference")
        if !features.isEmpty {
            try fields.set(
                "features", features.prefix(WireLimits.codecs).map { $0.cut(toBytes: WireLimits.codecBytes) })
        }
    }
}

extension SpeakerStatus {
    init(_ fields: FieldReader) throws {
        self.init(state: try fields.choice("state"), position: try fields.optionalTime("position"))
        loaded = try fields.loaded("loaded")
        volume = try fields.optionalNumber("volume", in: 0...100) ?? 100
        isMuted = try fields.flag("muted")
        isAnnouncing = try fields.flag("announcing")
        outputDelayMs = try fields.optionalNumber("outputDelayMs", in: WireLimits.outputDelayMs) ?? 0
        leadMs = try fields.optionalNumber("leadMs", in: 0...10_000)
        stalls = try fields.optionalInteger("stalls", in: 0...Int.max) ?? 0
        xruns = try fields.optionalInteger("xruns", in: 0...Int.max) ?? 0
        syncErrorUs = try fields.optionalNumber("syncErrorUs")
        syncErrorP99Us = try fields.optionalNumber("syncErrorP99Us")
        clockOffsetSigmaUs = try fields.optionalNumber("clockOffsetSigmaUs")
        clockDriftPpm = try fields.optionalNumber("clockDriftPpm")
        clockDriftSigmaPpm = try fields.optionalNumber("clockDriftSigmaPpm")
        dacPpm = try fields.optionalNumber("dacPpm")
        dacSigmaPpm = try fields.optionalNumber("dacSigmaPpm")
        rttUs = try fields.optionalNumber("rttUs")
        stamps = try fields.optionalChoice("stamps")
        // There may be other kinds one day.
        forwardStamps = try fields.optionalString("stampsForward").flatMap(StampKind.init)
        returnStamps = try fields.optionalString("stampsReturn").flatMap(StampKind.init)
        systemClock = try SystemClockStatus(fields: fields)
        codec = try fields.optionalString("codec")
        format = try fields.optionalString("format")
        isLikelyToKeepUp = try fields.flag("likelyToKeepUp")
        bufferedBytes = try fields.optionalInteger("bufferedBytes", in: 0...UInt64(Int64.max)) ?? 0
        isBitPerfect = try fields.optionalFlag("bitPerfect")
        bitPerfectReason = try fields.optionalString("bitPerfectReason", maximumBytes: WireLimits.messageBytes)
        device = try fields.optionalString("device") ?? ""
        message = try fields.optionalString("message", maximumBytes: WireLimits.messageBytes) ?? ""
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.set("state", state.rawValue)
        try fields.time("position", position)
        try fields.loaded("loaded", loaded)
        try fields.figure("volume", volume)
        try fields.set("muted", isMuted)
        try fields.set("announcing", isAnnouncing)
        try fields.figure("outputDelayMs", outputDelayMs)
        try fields.figure("leadMs", leadMs)
        try fields.set("stalls", stalls)
        try fields.set("xruns", xruns)
        try fields.figure("syncErrorUs", syncErrorUs)
        try fields.figure("syncErrorP99Us", syncErrorP99Us)
        try fields.figure("clockOffsetSigmaUs", clockOffsetSigmaUs)
        try fields.figure("clockDriftPpm", clockDriftPpm)
        try fields.figure("clockDriftSigmaPpm", clockDriftSigmaPpm)
        try fields.figure("dacPpm", dacPpm)
        try fields.figure("dacSigmaPpm", dacSigmaPpm)
        try fields.figure("rttUs", rttUs)
        try fields.optional("stamps", stamps?.rawValue)
        try fields.optional("stampsForward", forwardStamps?.rawValue)
        try fields.optional("stampsReturn", returnStamps?.rawValue)
        try systemClock?.write(to: &fields)
        try fields.text("codec", codec)
        try fields.text("format", format)
        try fields.set("likelyToKeepUp", isLikelyToKeepUp)
        try fields.set("bufferedBytes", min(bufferedBytes, UInt64(Int64.max)))
        try fields.optional("bitPerfect", isBitPerfect)
        try fields.text("bitPerfectReason", bitPerfectReason, maximumBytes: WireLimits.messageBytes)
        try fields.text("device", device)
        try fields.text("message", message, maximumBytes: WireLimits.messageBytes)
    }
}
