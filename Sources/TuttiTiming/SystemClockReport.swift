/// How a host's system clock stands to the group's.
package struct SystemClockReport: Sendable, Equatable {
    /// Why the group's clock is not taken from it.
    package enum Reason: String, Sendable {
        /// Some member does not go by its system clock, or does not say so.
        case mixed = "not all members use their system clock"
        /// The kernel says that nothing disciplines it.
        case notSynchronised = "the system clock is not synchronised"
        /// It was set, or changes its rate a lot.
        case unsteady = "the system clock was set or is being slewed"
        /// The exchanges know too little yet.
        case unmeasured = "our own exchanges are not sure yet"
        /// It has not agreed for long enough.
        case waiting = "being compared with our own exchanges"
        /// It is elsewhere than the exchanges have it.
        case disagrees = "it disagrees with our own exchanges"
    }

    /// Nil while the group's clock is taken from it.
    package var reason: Reason? = .waiting
    /// Whether something disciplines it, as the kernel has it (STA_UNSYNC of adjtimex).
    package var isSynchronised = false
    /// The kernel's maxerror and esterror, µs.
    package var (maximumErrorUs, estimatedErrorUs) = (0.0, 0.0)
    /// How far group time by the system clock is ahead of group time by our exchanges, and the standard deviation of
    /// the latter, µs; nil until measured.
    package var (offsetUs, offsetSigmaUs): (Double?, Double?)

    /// A report of a clock of which nothing is known.
    package init() {}
}
