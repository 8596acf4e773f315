import Logging
import NIOCore
import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiRendering
import TuttiTiming
import TuttiWire

/// Settings, and what is on the disk when the speaker is killed: what it was told a moment ago, and the rates that it
/// has found out.
extension SpeakerController {
    // MARK: Settings

    func setVolume(_ command: VolumeCommand) {
        memory.setLoudness(command)
        applyVolume(rampMilliseconds: Int(command.rampMs))
        scheduleSave()
        report()
    }

    func applyVolume(rampMilliseconds: Int) {
        var loudness = memory.loudness
        loudness.rampMs = Double(rampMilliseconds)
        setGain(mixer?.gain(at: loudness) ?? Float(loudness.amplitude), rampMilliseconds: rampMilliseconds)
        mixer?.set(loudness)
    }

    private func setGain(_ gain: Float, rampMilliseconds: Int) {
        renderer.counters.gainRampMilliseconds.store(rampMilliseconds, ordering: .relaxed)
        renderer.counters.gainBits.store(gain.bitPattern, ordering: .relaxed)
    }

    /// Takes what somebody else has set the card's mixer to, as far as the speaker can be set to that.
    func takeMixer(now: HostTime) {
        guard let mixer, let command = mixer.look(now: now) else { return }
        memory.setLoudness(command)
        if memory.loudness.percent == command.percent {
            setGain(mixer.gain(at: command), rampMilliseconds: 0)
        } else {
            applyVolume(rampMilliseconds: 0)
        }
        scheduleSave()
        report()
    }

    /// What the room is called.
    var name: String { memory.state.name(configured: configuration.name) }

    func setName(_ name: String) {
        guard name != self.name else { return report() }
        logger.info("the room has another name", metadata: ["name": "\(name)", "before": "\(self.name)"])
        memory.setName(name, configured: configuration.name)
        scheduleSave()
        onNameChange?(name)
        report()
    }

    func setOutputDelay(_ milliseconds: Double) {
        memory.setOutputDelay(milliseconds: milliseconds)
        applyOutputDelay()
        scheduleSave()
        report()
    }

    func applyOutputDelay() {
        let nanoseconds = Int64(memory.state.outputDelayMilliseconds * 1e6)
        renderer.counters.outputDelay.store(nanoseconds, ordering: .relaxed)
    }

    // MARK: Writing

    /// Has the settings on disk at once, or soon when they have only just been written.
    private func scheduleSave() {
        guard let wait = memory.changed(now: clock.now()) else { return }
        guard wait > 0 else { return saveState() }
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(in: .nanoseconds(wait)) { box.value.saveState() }
    }

    private func saveState() {
        memory.saved(now: clock.now())
        do {
            try stateFile.save(memory.state)
        } catch {
            logger.error("state not saved", metadata: ["reason": "\(error)"])
        }
    }

    // MARK: Rates

    /// Remembers how fast card and leader ran, for the next stream to be in step sooner.
    func rememberRates() {
        memory.learn(findings)
        saveState()
    }

    /// The same while a stream plays, now and then, if there is news.
    func rememberRatesRegularly(now: HostTime) {
        if memory.areRatesDue(isDeviceWanted: isDeviceWanted, now: now), memory.learnNews(findings) { saveState() }
    }

    /// Remembers the clock alone, for this speaker's next process.
    func rememberClock() {
        var findings = SpeakerMemory.Findings()
        findings.clock = clockToRemember
        memory.learn(findings)
        saveState()
    }

    private var findings: SpeakerMemory.Findings {
        let counters = renderer.counters
        var findings = SpeakerMemory.Findings()
        findings.clock = clockToRemember
        if let ppm = RenderCounters.value(counters.devicePpmBits),
            let sigma = RenderCounters.value(counters.devicePpmSigmaBits)
        {
            findings.card = RememberedRate(ppm: ppm, sigma: sigma)
        }
        if let announcement = membership.announcement, let statistics = groupClock.statistics,
            let ppm = statistics.driftPpm, let sigma = statistics.driftSigmaPpm, groupClock.standing?.parent != nil
        {
            findings.leader = (announcement.origin, RememberedRate(ppm: ppm, sigma: sigma))
        }
        return findings
    }

    private var clockToRemember: RememberedClock? {
        guard !configuration.isPrivate, let boot = clock.boot, let line = groupClock.estimates.read(),
            let origin = membership.origin(of: line.timescale)
        else { return nil }
        return RememberedClock(
            line, origin: origin, others: groupClock.acquaintances, boot: boot, slept: clock.slept().upperBound)
    }

    /// Goes on with the clock that this speaker's last process knew.
    func resumeClock() {
        guard !configuration.isPrivate, let known = memory.state.clock,
            let line = known.line(boot: clock.boot, slept: clock.slept(), now: clock.now())
        else { return }
        _ = membership.follow(
            ClockAnnouncement(timescale: line.timescale, origin: known.origin, leaderPort: groupClock.port))
        groupClock.resume(line, with: known.addresses)
        logger.info("keeping the group clock")
    }
}
