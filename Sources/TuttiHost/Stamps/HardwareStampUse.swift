/// Whether a network interface's own stamps are used.
package enum HardwareStampUse: String, Sendable, CaseIterable {
    /// Where they are switched on already, by `ptp4l` or `hwstamp_ctl`, say.
    case auto
    /// Everywhere; interfaces that have them are told to make them, which takes `CAP_NET_ADMIN` and holds for all
    /// programs.
    case on
    /// Nowhere.
    case off
}
