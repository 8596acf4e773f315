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
