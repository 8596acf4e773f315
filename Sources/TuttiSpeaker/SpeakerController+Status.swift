import Logging
import NIOCore
import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiOutput
import TuttiPlayback
import TuttiRendering
import TuttiSchema
import TuttiTiming
import TuttiWire

/// How the speaker does.
extension SpeakerController {
    /// The little that is compared fifty times a second.
    func digest(of slot: Slot) -> StatusDigest {
        StatusDigest(
            state: playbackState(of: slot, position: playhead(of: slot)),
            stalls: renderer.counters.stalls.load(ordering: .relaxed),
            xruns: renderer.counters.xruns.load(ordering: .relaxed), loudness: memory.loudness,
            isAnnouncing: isAnnouncing, outputDelay: memory.state.outputDelayMilliseconds, name: name)
    }

    /// The time now that the stream's timebases are in; nil while no clock is known.
    private func groupNow(of slot: Slot) -> GroupTime? {
        streams[slot].estimate(groupClock.estimates)?.groupTime(at: clock.now())
    }

    /// The media time that is heard now; nil before there is a stream and a clock.
    func playhead(of slot: Slot = .owner) -> MediaTime? {
        guard let now = groupNow(of: slot) else { return nil }
        return streams[slot].state.withLock { state in
            guard let timebase = state.timebase(at: now) else { return nil }
            guard timebase.rate > 0 else { return timebase.mediaTime }
            let position = timebase.mediaTime(at: now) ?? timebase.mediaTime
            return max(min(position, state.end ?? position), .zero)
        }
    }

    /// How the speaker is doing; of streams, with the one that came from `slot`. And whether that will be so for a
    /// while.
    func status(of slot: Slot) -> (status: SpeakerStatus, isCalm: Bool) {
        let counters = renderer.counters
        let position = playhead(of: slot)
        let held = streams[slot].state.withLock { state in
            (
                ranges: state.store.loadedTimeRanges, bytes: state.store.byteCount, format: state.decodedFormat,
                end: state.end
            )
        }
        var status = SpeakerStatus(state: playbackState(of: slot, position: position), position: position)
        status.loaded = LoadedRanges(Array(held.ranges.prefix(WireLimits.ranges)))
        status.bufferedBytes = UInt64(held.bytes)
        status.codec = held.format?.codec.rawValue
        status.name = name
        status.volume = memory.state.volume
        (status.maxVolume, status.isVolumeFixed) = (configuration.maxVolume, configuration.mixer == .none)
        status.isMuted = memory.state.isMuted
        status.isAnnouncing = isAnnouncing
        status.outputDelayMs = memory.state.outputDelayMilliseconds
        status.leadMs = Double(changeLead) / 1e6
        status.stalls = counters.stalls.load(ordering: .relaxed)
        status.xruns = counters.xruns.load(ordering: .relaxed)
        status.device = configuration.device
        status.format = renderer.actual.map(Self.format)
        status.message = renderer.trouble
        status.dacPpm = RenderCounters.value(counters.devicePpmBits)
        status.dacSigmaPpm = RenderCounters.value(counters.devicePpmSigmaBits)
        status.syncErrorUs = counters.history.latest.map { $0 / 1_000 }
        status.syncErrorP99Us = reports.distance(now: clock.now()) {
            counters.history.pairDistance(clock: groupClock.estimates.read())
        }.map { $0 / 1_000 }
        fillClock(&status)
        if slot == .owner { fillReference(&status) }
        let lasts = Self.lasts(held.ranges, from: position, end: held.end)
        status.likelyToKeepUp = lasts.map { $0 >= Self.enough } ?? true
        let isPlenty = lasts.map { $0 >= Self.plenty } ?? true
        return (status, isCalm: status.state == .idle || status.state == .playing && isPlenty)
    }

    /// Tells somebody who only looks who this is and how it does, and hangs up.
    ///
    /// - Parameter effects: what it has asked of the room's effects has come to this.
    func show(to connection: ConnectionID, version: Int, effects: EffectsReport? = nil) {
        let credential = connections.credential(of: connection)
        guard let channel = connections.remove(connection) else { return }
        var welcome = welcome
        (welcome.loaded, welcome.timebase, welcome.end, welcome.version) = ([], nil, nil, version)
        present(&welcome, to: credential.flatMap { trust?.identity(of: $0) })
        let status = status(of: .owner).status
        let report = effects.map { ControlMessage.effects($0).encodedFrame() } ?? []
        let words =
            ControlMessage.welcome(welcome).encodedFrame() + report + ControlMessage.status(status).encodedFrame()
        channel.writeAndFlush(channel.allocator.buffer(bytes: words), promise: nil)
        hangUp(channel)
    }

    private func fillClock(_ status: inout SpeakerStatus) {
        status.systemClock = groupClock.systemReport.map { report in
            SystemClockStatus(
                used: report.reason == nil, reason: report.reason?.rawValue, synchronised: report.isSynchronised,
                maxErrorUs: report.maximumErrorUs, estimatedErrorUs: report.estimatedErrorUs,
                offsetUs: report.offsetUs, offsetSigmaUs: report.offsetSigmaUs)
        }
        guard let clock = groupClock.statistics else { return }
        status.clockOffsetSigmaUs = clock.sigmaUs
        status.clockDriftPpm = clock.driftPpm
        status.clockDriftSigmaPpm = clock.driftSigmaPpm
        status.rttUs = clock.rttUs
        status.stamps = min(clock.forwardStamps, clock.returnStamps) >= .kernel ? .kernel : .user
        (status.forwardStamps, status.returnStamps) = (clock.forwardStamps, clock.returnStamps)
    }

    func playbackState(of slot: Slot, position: MediaTime?) -> SpeakerStatus.State {
        let clockNow = groupNow(of: slot)
        let (timebase, latest, end, isStaged, hasStarted) = streams[slot].state.withLock { state in
            (clockNow.flatMap { state.timebase(at: $0) }, state.timebase, state.end, state.isStaged, state.hasStarted)
        }
        guard let latest else { return .idle }
        // A clock that was followed for an earlier stream says nothing about this one.
        let now = clockNow.flatMap { $0.timescale == latest.groupTime.timescale ? $0 : nil }
        if !renderer.trouble.isEmpty, isDeviceWanted { return .lostDevice }
        guard latest.rate > 0, let timebase, let now, let position else {
            let isReady = isStaged && now != nil && isSteady
            if hasStarted || slot != .owner { return isReady ? (hasStarted ? .paused : .primed) : .preparing }
            return isReady && isAtReferenceRate ? .primed : .preparing
        }
        let isSounding = isSounding(slot)
        if let end, !isSounding {
            if position >= end { return .ended }
            // The last frames are written before they are heard.
            if end - position < Self.longestBuffer { return .playing }
        }
        if timebase.rate == 0 || timebase.groupTime.nanoseconds > now.nanoseconds { return .primed }
        return isSounding ? .playing : .stalled
    }

    /// Whether sound can begin in step: at once, or once a device that was let go is open.
    private var isSteady: Bool {
        let (clock, now) = (groupClock.estimates.read(), clock.now())
        let counters = renderer.counters
        return isDeviceWanted ? counters.isSteady(clock, now: now) : counters.isClockSteady(clock, now: now)
    }

    /// More than any card holds.
    private static let longestBuffer = MediaTime(frame: 1, sampleRate: 2)

    /// How long what is held lasts; nil when it does to the end.
    private static func lasts(_ ranges: [TimeRange], from position: MediaTime?, end: MediaTime?) -> MediaTime? {
        guard let position, let range = ranges.first(where: { $0.contains(position) }) else { return .zero }
        if let end, range.end >= end { return nil }
        return range.end - position
    }

    /// With so much a room is likely to keep up, and with so much there is no need to look closely.
    private static let enough = MediaTime(frame: 10, sampleRate: 1)
    private static let plenty = MediaTime(frame: 30, sampleRate: 1)

    /// `rate:bits:channels` of a device.
    static func format(_ actual: OutputParameters) -> String {
        "\(actual.sampleRate):\(actual.sampleType.bitDepth):\(actual.channelCount)"
    }
}

/// What those who are here are told: how the speaker does, and how much they may send.
extension SpeakerController {
    /// Tells everybody here how the speaker is doing, as far as they do not know.
    func report() {
        for slot in occupied { report(to: slot) }
    }

    /// Tells once in a stream that packets cannot be decoded.
    func reportDamage() {
        let count = streams.owner.state.withLock { $0.damagedPackets }
        guard reports.isDamageNew(count: count) else { return }
        logger.warning("packets cannot be decoded; playing silence instead", metadata: ["count": "\(count)"])
        let message = "parts of the audio are damaged and play as silence"
        perform(session.send(.event(kind: "damaged", message: message), to: .owner))
    }

    /// Sends a status when it is needed, or when it is due anyway.
    func report(to slot: Slot, isDue: Bool = false) {
        let now = clock.now()
        let digest = digest(of: slot)
        let need = isDue ? .now : reports.need(of: digest, for: slot, now: now)
        guard need != .none else { return }
        let (status, isCalm) = status(of: slot)
        guard need == .now || isCalm else { return }
        reports.told(slot, digest, isCalm: isCalm, now: now)
        perform(session.send(.status(status), to: slot))
    }

    /// Sends a status now, or with the next look where one has only just been sent: packets that come in any order may
    /// have much to tell.
    func reportSoon(to slot: Slot) {
        if !reports.postpone(for: slot, now: clock.now()) { report(to: slot, isDue: true) }
    }

    // MARK: Credit

    func updateCredit(of slot: Slot) {
        let room = room(for: slot)
        let (held, start) = streams[slot].state.withLock { ($0.store.cost, $0.timebase?.mediaTime) }
        var free = max(0, room.bytes - held)
        if let load = streams[slot].pictures?.load { free = min(free, max(0, load.maximum - load.bytes)) }
        let seconds = MediaTime(seconds: room.seconds, preferredTimescale: 1_000) ?? .zero
        let horizon = (playhead(of: slot) ?? start).map { $0 + seconds }
        let coarse = horizon.flatMap { Self.coarse($0, depth: room.seconds) }
        // Bytes to 64 KiB, for the same reason.
        perform(session.grant(freeBytes: UInt64(free & ~0xFFFF), horizon: coarse, to: slot))
    }

    /// A horizon to whole seconds, of deep buffers to a hundredth: a message for each packet would say little, and a
    /// radio rests between two bursts.
    private static func coarse(_ horizon: MediaTime, depth: Double) -> MediaTime? {
        let grain = max(1, Int64(min(depth, 1e6)) / 100)
        let seconds = horizon.converted(to: 1, rounding: .up).value
        let rest = seconds % grain
        let (whole, isTooFar) = seconds.addingReportingOverflow(rest > 0 ? grain - rest : 0)
        return MediaTime(value: isTooFar ? seconds : whole, timescale: 1)
    }
}
