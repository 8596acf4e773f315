import TuttiSchema

extension SystemClockStatus {
    /// From the fields of a status; nil where it says nothing of a system clock.
    init?(fields: FieldReader) throws {
        guard let used = try fields.optionalFlag("systemClockUsed") else { return nil }
        self.init(
            used: used, reason: try fields.optionalString("systemClockReason"),
            synchronised: try fields.flag("systemClockSynchronised"),
            maxErrorUs: try fields.optionalNumber("systemClockMaxErrorUs") ?? 0,
            estimatedErrorUs: try fields.optionalNumber("systemClockEstimatedErrorUs") ?? 0,
            offsetUs: try fields.optionalNumber("systemClockOffsetUs"),
            offsetSigmaUs: try fields.optionalNumber("systemClockOffsetSigmaUs"))
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.set("systemClockUsed", used)
        try fields.text("systemClockReason", reason)
        try fields.set("systemClockSynchronised", synchronised)
        try fields.figure("systemClockMaxErrorUs", maxErrorUs)
        try fields.figure("systemClockEstimatedErrorUs", estimatedErrorUs)
        try fields.figure("systemClockOffsetUs", offsetUs)
        try fields.figure("systemClockOffsetSigmaUs", offsetSigmaUs)
    }
}
