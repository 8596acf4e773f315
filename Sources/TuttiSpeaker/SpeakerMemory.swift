package import TuttiCore
package import TuttiRendering
package import TuttiWire

/// What a speaker remembers, and when that is written: settings at once, or a second after the last writing while they
/// change, as when a slider is moved; rates now and then, if they are news.
package struct SpeakerMemory: Sendable {
    /// What has been found out of clocks and card.
    package struct Findings {
        /// How fast the card ran, against this host's clock.
        package var card: RememberedRate?
        /// How fast the clock of this origin ran, against this host's.
        package var leader: (origin: String, rate: RememberedRate)?
        var clock: RememberedClock?

        package init(card: RememberedRate? = nil) { self.card = card }
    }

    /// Nanoseconds between two writings while settings change.
    private static let saveInterval: Int64 = 1_000_000_000
    /// Nanoseconds between two looks at the rates, first and later: the first seconds teach most, and disks are to be
    /// spared.
    private static let rateIntervals = (first: Int64(5_000_000_000), later: Int64(60_000_000_000))
    /// How many ppm, or by which part of its uncertainty, a rate has to be another to be written again.
    private static let news = (ppm: 0.05, share: 0.7)

    /// What is remembered.
    package private(set) var state: SpeakerState
    private let device: String
    private let volumes: ClosedRange<Double>
    private var savedAt: HostTime?
    private var isSavePending = false
    /// When the rates are looked at next; nil while the device is not open.
    private var ratesDue: HostTime?

    /// - Parameters:
    ///   - device: what the card's rate is remembered under.
    ///   - volumes: those that the speaker can be set to, of 0 … 100.
    package init(_ state: SpeakerState, device: String, volumes: ClosedRange<Double> = 0...100) {
        (self.state, self.device, self.volumes) = (state, device, volumes)
        self.state.volume = state.volume.held(to: volumes)
    }

    /// The volume, and whether it is off.
    package var loudness: VolumeCommand { VolumeCommand(percent: state.volume, isMuted: state.isMuted) }

    package mutating func setLoudness(_ command: VolumeCommand) {
        (state.volume, state.isMuted) = (command.percent.held(to: volumes), command.isMuted)
    }

    package mutating func setName(_ name: String, configured: String) {
        state.setName(name, configured: configured)
    }

    package mutating func setOutputDelay(milliseconds: Double) { state.outputDelayMilliseconds = milliseconds }

    // MARK: Writing

    /// Something has changed.
    ///
    /// - Returns: in how many nanoseconds the state is to be written, 0 for at once; nil where it is going to be
    ///   anyway.
    package mutating func changed(now: HostTime) -> Int64? {
        guard !isSavePending else { return nil }
        let wait = savedAt.map { max(0, Self.saveInterval - now.nanoseconds(since: $0)) } ?? 0
        isSavePending = wait > 0
        return wait
    }

    /// The state is written now.
    package mutating func saved(now: HostTime) { (savedAt, isSavePending) = (now, false) }

    // MARK: Rates

    /// Whether it is time to look at the rates: now and then while the device is open.
    package mutating func areRatesDue(isDeviceWanted: Bool, now: HostTime) -> Bool {
        guard isDeviceWanted else {
            ratesDue = nil
            return false
        }
        let isDue = ratesDue.map { $0 <= now } ?? false
        if isDue || ratesDue == nil {
            ratesDue = now.advanced(byNanoseconds: isDue ? Self.rateIntervals.later : Self.rateIntervals.first)
        }
        return isDue
    }

    package mutating func learn(_ findings: Findings) {
        if let clock = findings.clock { state.clock = clock }
        if let card = findings.card { state.remember(card, of: device, in: \.devices) }
        if let leader = findings.leader { state.remember(leader.rate, of: leader.origin, in: \.leaders) }
    }

    /// Learns the same, if that is worth writing.
    ///
    /// - Returns: whether it is.
    package mutating func learnNews(_ findings: Findings) -> Bool {
        let known = state
        learn(findings)
        let isNews =
            Self.isNews(state.devices, after: known.devices) || Self.isNews(state.leaders, after: known.leaders)
        if !isNews { state = known }
        return isNews
    }

    private static func isNews(_ rates: [String: RememberedRate], after known: [String: RememberedRate]) -> Bool {
        rates.contains { name, rate in
            guard let before = known[name] else { return true }
            return abs(rate.ppm - before.ppm) > news.ppm || rate.sigma < before.sigma * news.share
        }
    }
}
