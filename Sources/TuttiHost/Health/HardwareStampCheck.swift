/// Whether the network interface's own stamps can be used.
package enum HardwareStampCheck {
    /// What a driver's words mean; nil for an interface without a PTP clock, which most are.
    ///
    /// - Parameters:
    ///   - now: what the hardware stamps, if its driver says that.
    ///   - isReadable: whether this process can read the PTP clock with that number.
    package static func finding(
        interface: String, stamps: InterfaceStamps, now: InterfaceStamps.Configuration?, isReadable: (Int32) -> Bool
    ) -> HealthFinding? {
        guard let clock = stamps.clock else { return nil }
        let check = "hardware stamps of \(interface)"
        guard isReadable(clock) else {
            return HealthFinding(
                check, .warning, "cannot read /dev/ptp\(clock)",
                advice: "let the speaker's user read it (see docs/operations.md), or set hardware-stamps: off")
        }
        guard let now else { return HealthFinding(check, .unknown, "the driver does not report whether they are on") }
        switch (now.stampsDepartures, now.stampsArrivals) {
        case (true, true): return HealthFinding(check, .ok, "on for departures and arrivals (/dev/ptp\(clock))")
        case (true, false): return HealthFinding(check, .ok, "on for departures (/dev/ptp\(clock))")
        case (false, true): return HealthFinding(check, .ok, "on for arrivals (/dev/ptp\(clock))")
        case (false, false):
            return HealthFinding(
                check, .ok, "off; kernel stamps are used",
                advice: "to use them, run `hwstamp_ctl -i \(interface) -t 1 -r 1`, or set hardware-stamps: on")
        }
    }
}
