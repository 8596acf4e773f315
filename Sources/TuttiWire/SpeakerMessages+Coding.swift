import TuttiCore
import TuttiSchema

extension Welcome {
    init(_ fields: FieldReader) throws {
        self.init(
            id: try fields.string("id"), name: try fields.string("name"),
            version: try fields.integer("version", in: 0...Int(Int32.max)), session: try fields.string("session"),
            bufferSeconds: try fields.number("bufferSeconds", in: 0...86_400),
            bufferBytes: try fields.integer("bufferBytes", in: 0...UInt64(Int64.max)),
            codecs: try fields.strings("codecs"), pictureCodecs: try fields.strings("pictureCodecs"),
            device: try fields.optionalString("device") ?? "",
            deviceFormat: try fields.optionalString("deviceFormat") ?? "",
            clockPort: try fields.optionalInteger("clockPort", in: 1...UInt16.max), clock: try KnownClock(fields),
            generation: try fields.optionalInteger("generation", in: 0...UInt32.max) ?? 0,
            loaded: try fields.ranges("loaded"),
            timebase: try fields.optionalNumber("rate") == nil ? nil : TimebaseCommand(fields),
            end: try fields.optionalTime("end"),
            reference: try ReferenceFit(optional: fields, prefix: "reference"),
            household: try fields.optionalString("household"), claimant: try Claimant(optional: fields),
            proof: try fields.optionalString("proof"),
            features: try fields.strings("features"))
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.text("id", id)
        try fields.text("name", name)
        try fields.set("version", version)
        try fields.text("session", session)
        try fields.figure("bufferSeconds", bufferSeconds)
        try fields.set("bufferBytes", min(bufferBytes, UInt64(Int64.max)))
        try fields.set("codecs", codecs.prefix(WireLimits.codecs).map { $0.cut(toBytes: WireLimits.codecBytes) })
        if !pictureCodecs.isEmpty {
            try fields.set(
                "pictureCodecs",
                pictureCodecs.prefix(WireLimits.codecs).map { $0.cut(toBytes: WireLimits.codecBytes) })
        }
        try fields.text("device", device)
        try fields.text("deviceFormat", deviceFormat)
        try fields.optional("clockPort", clockPort)
        try clock?.write(to: &fields)
        try fields.set("generation", generation)
        try fields.ranges("loaded", loaded)
        try timebase?.write(to: &fields)
        try fields.time("end", end)
        try reference?.write(to: &fields, prefix: "reference")
        try fields.text("household", household)
        try fields.text("claimedBy", claimant?.id)
        try fields.text("claimedByName", claimant?.name)
        try fields.text("proof", proof)
        if !features.isEmpty {
            try fields.set(
                "features", features.prefix(WireLimits.codecs).map { $0.cut(toBytes: WireLimits.codecBytes) })
        }
    }
}

extension Welcome.Claimant {
    fileprivate init?(optional fields: FieldReader) throws {
        guard let id = try fields.optionalString("claimedBy") else { return nil }
        self.init(id: id, name: try fields.optionalString("claimedByName") ?? "")
    }
}

extension SpeakerStatus {
    init(_ fields: FieldReader) throws {
        self.init(state: try fields.choice("state"), position: try fields.optionalTime("position"))
        figures = try SpeakerFigures(fields)
        name = try fields.optionalString("name") ?? ""
        volume = try fields.optionalNumber("volume", in: 0...100) ?? 100
        maxVolume = try fields.optionalNumber("maxVolume", in: 0...100) ?? 100
        isVolumeFixed = try fields.flag("volumeFixed")
        isMuted = try fields.flag("muted")
        isAnnouncing = try fields.flag("announcing")
        outputDelayMs = try fields.optionalNumber("outputDelayMs", in: WireLimits.outputDelayMs) ?? 0
        leadMs = try fields.optionalNumber("leadMs", in: 0...10_000)
        stamps = try fields.optionalChoice("stamps")
        // There may be other kinds one day.
        forwardStamps = try fields.optionalString("stampsForward").flatMap(StampKind.init)
        returnStamps = try fields.optionalString("stampsReturn").flatMap(StampKind.init)
        bufferedBytes = try fields.optionalInteger("bufferedBytes", in: 0...UInt64(Int64.max)) ?? 0
        isBitPerfect = try fields.optionalFlag("bitPerfect")
        bitPerfectReason = try fields.optionalString("bitPerfectReason", maximumBytes: WireLimits.messageBytes)
        device = try fields.optionalString("device") ?? ""
        message = try fields.optionalString("message", maximumBytes: WireLimits.messageBytes) ?? ""
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.set("state", state.rawValue)
        try fields.time("position", position)
        try figures.write(to: &fields)
        if !name.isEmpty { try fields.text("name", name) }
        try fields.figure("volume", volume)
        if maxVolume < 100 { try fields.figure("maxVolume", maxVolume) }
        if isVolumeFixed { try fields.set("volumeFixed", true) }
        try fields.set("muted", isMuted)
        try fields.set("announcing", isAnnouncing)
        try fields.figure("outputDelayMs", outputDelayMs)
        try fields.figure("leadMs", leadMs)
        try fields.optional("stamps", stamps?.rawValue)
        try fields.optional("stampsForward", forwardStamps?.rawValue)
        try fields.optional("stampsReturn", returnStamps?.rawValue)
        try fields.set("bufferedBytes", min(bufferedBytes, UInt64(Int64.max)))
        try fields.optional("bitPerfect", isBitPerfect)
        try fields.text("bitPerfectReason", bitPerfectReason, maximumBytes: WireLimits.messageBytes)
        try fields.text("device", device)
        try fields.text("message", message, maximumBytes: WireLimits.messageBytes)
    }
}
