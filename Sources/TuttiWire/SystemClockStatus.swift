/// How a host's system clock stands to the group's, on a speaker that may take the group's clock from it.
package struct SystemClockStatus: Sendable, Equatable, Codable {
    /// Whether the group's clock is taken from it.
    package var used: Bool
    /// Why it is not.
    package var reason: String?
    /// Whether something disciplines it, as the kernel has it.
    package var synchronised: Bool
    /// What the kernel says of its error at most, µs.
    package var maxErrorUs: Double
    /// What it says of the error to be expected, µs.
    package var estimatedErrorUs: Double
    /// How far group time by the system clock is ahead of group time by our own exchanges, µs; nil until measured.
    package var offsetUs: Double?
    /// The standard deviation of what the exchanges say, µs.
    package var offsetSigmaUs: Double?

    /// A standing of these parts.
    package init(
        used: Bool, reason: String? = nil, synchronised: Bool, maxErrorUs: Double, estimatedErrorUs: Double,
        offsetUs: Double? = nil, offsetSigmaUs: Double? = nil
    ) {
        self.used = used
        self.reason = reason
        self.synchronised = synchronised
        self.maxErrorUs = maxErrorUs
        self.estimatedErrorUs = estimatedErrorUs
        self.offsetUs = offsetUs
        self.offsetSigmaUs = offsetSigmaUs
    }
}

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
