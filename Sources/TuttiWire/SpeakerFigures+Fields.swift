import TuttiSchema

extension SpeakerFigures {
    /// From the fields of a status.
    init(_ fields: FieldReader) throws {
        self.init()
        loaded = try fields.loaded("loaded")
        likelyToKeepUp = try fields.flag("likelyToKeepUp")
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
        systemClock = try SystemClockStatus(fields: fields)
        codec = try fields.optionalString("codec")
        format = try fields.optionalString("format")
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.loaded("loaded", loaded)
        try fields.set("likelyToKeepUp", likelyToKeepUp)
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
        try systemClock?.write(to: &fields)
        try fields.text("codec", codec)
        try fields.text("format", format)
    }
}
