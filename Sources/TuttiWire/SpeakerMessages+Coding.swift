import TuttiCore

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
            end: try fields.optionalTime("end"))
    }

    func write(to fields: inout FieldWriter) {
        fields.text("id", id)
        fields.text("name", name)
        fields.set("version", version)
        fields.text("session", session)
        fields.figure("bufferSeconds", bufferSeconds)
        fields.set("bufferBytes", min(bufferBytes, UInt64(Int64.max)))
        fields.set("codecs", codecs.prefix(WireLimits.codecs).map { $0.cut(toBytes: WireLimits.codecBytes) })
        fields.text("device", device)
        fields.text("deviceFormat", deviceFormat)
        fields.optional("clockPort", clockPort)
        clock?.write(to: &fields)
        fields.set("generation", generation)
        fields.ranges("loaded", loaded)
        timebase?.write(to: &fields)
        fields.time("end", end)
    }
}

extension SpeakerStatus {
    init(_ fields: FieldReader) throws {
        self.init(state: try fields.choice("state"), position: try fields.optionalTime("position"))
        loaded = try fields.pairs("loaded")
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
        codec = try fields.optionalString("codec")
        format = try fields.optionalString("format")
        isLikelyToKeepUp = try fields.flag("likelyToKeepUp")
        bufferedBytes = try fields.optionalInteger("bufferedBytes", in: 0...UInt64(Int64.max)) ?? 0
        device = try fields.optionalString("device") ?? ""
        message = try fields.optionalString("message", maximumBytes: WireLimits.messageBytes) ?? ""
    }

    func write(to fields: inout FieldWriter) {
        fields.set("state", state.rawValue)
        fields.time("position", position)
        fields.pairs("loaded", loaded)
        fields.figure("volume", volume)
        fields.set("muted", isMuted)
        fields.set("announcing", isAnnouncing)
        fields.figure("outputDelayMs", outputDelayMs)
        fields.figure("leadMs", leadMs)
        fields.set("stalls", stalls)
        fields.set("xruns", xruns)
        fields.figure("syncErrorUs", syncErrorUs)
        fields.figure("syncErrorP99Us", syncErrorP99Us)
        fields.figure("clockOffsetSigmaUs", clockOffsetSigmaUs)
        fields.figure("clockDriftPpm", clockDriftPpm)
        fields.figure("clockDriftSigmaPpm", clockDriftSigmaPpm)
        fields.figure("dacPpm", dacPpm)
        fields.figure("dacSigmaPpm", dacSigmaPpm)
        fields.figure("rttUs", rttUs)
        fields.optional("stamps", stamps?.rawValue)
        fields.text("codec", codec)
        fields.text("format", format)
        fields.set("likelyToKeepUp", isLikelyToKeepUp)
        fields.set("bufferedBytes", min(bufferedBytes, UInt64(Int64.max)))
        fields.text("device", device)
        fields.text("message", message, maximumBytes: WireLimits.messageBytes)
    }
}
