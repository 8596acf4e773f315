import Logging
import NIOCore
import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiRendering

/// What is on the disk when the speaker is killed: what it was told a moment ago, and the rates that it has found out.
extension SpeakerController {
    /// Nanoseconds between two writings while settings change, as when a slider is moved.
    private static let saveInterval: Int64 = 1_000_000_000
    /// Nanoseconds between two looks at the rates, first and later: the first seconds teach most, and disks are to be spared.
    private static let rateIntervals = (first: Int64(5_000_000_000), later: Int64(60_000_000_000))
    /// How many ppm, or by which part of its uncertainty, a rate has to be another to be written again.
    private static let news = (ppm: 0.05, share: 0.7)

    /// Has the settings on disk at once, or soon when they have only just been written.
    func scheduleSave() {
        guard !isSavePending else { return }
        let wait = savedAt.map { Self.saveInterval - clock.now().nanoseconds(since: $0) } ?? 0
        guard wait > 0 else { return saveState() }
        isSavePending = true
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(in: .nanoseconds(wait)) { box.value.saveState() }
    }

    func saveState() {
        (savedAt, isSavePending) = (clock.now(), false)
        do {
            try stateFile.save(state)
        } catch {
            logger.error("state not saved", metadata: ["reason": "\(error)"])
        }
    }

    // MARK: Rates

    /// Remembers how fast card and leader ran, for the next programme to be in step sooner.
    func rememberRates() {
        noteRates()
        saveState()
    }

    /// The same while a programme plays, now and then, if there is news.
    func rememberRatesRegularly(now: HostTime) {
        guard renderer.counters.isWanted.load(ordering: .relaxed) else {
            ratesDue = nil
            return
        }
        guard let due = ratesDue else {
            ratesDue = now.advanced(byNanoseconds: Self.rateIntervals.first)
            return
        }
        guard now >= due else { return }
        ratesDue = now.advanced(byNanoseconds: Self.rateIntervals.later)
        let known = state
        noteRates()
        if Self.isNews(state.devices, after: known.devices) || Self.isNews(state.leaders, after: known.leaders) {
            saveState()
        } else {
            state = known
        }
    }

    private func noteRates() {
        rememberLine()
        let counters = renderer.counters
        if let ppm = RenderCounters.value(counters.devicePpmBits),
            let sigma = RenderCounters.value(counters.devicePpmSigmaBits)
        {
            state.remember(RememberedRate(ppm: ppm, sigma: sigma), of: configuration.device, in: \.devices)
        }
        rememberClock()
    }

    private static func isNews(_ rates: [String: RememberedRate], after known: [String: RememberedRate]) -> Bool {
        rates.contains { name, rate in
            guard let before = known[name] else { return true }
            return abs(rate.ppm - before.ppm) > news.ppm || rate.sigma < before.sigma * news.share
        }
    }
}
