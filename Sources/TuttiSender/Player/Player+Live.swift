import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiProduction
import TuttiRooms
import TuttiSchema

/// Live sources: what was captured at an instant plays so long after it, and playback time runs as the source does.
extension Player {
    /// What is known of the live track that was scheduled last.
    struct LiveState {
        /// The number of the track's work item.
        let serial: Int
        /// Where what is made begins on the timeline.
        let begin: MediaTime
        /// Nanoseconds between capture and sound that were asked for.
        let wanted: Int64
        /// The same as it is now: more after a pause.
        var latency: Int64
        /// Whether its producer knows what plays at its beginning.
        var isAnchored = false
        /// How it was when its producer last told.
        var report: LiveReport?
        /// Whether the latency may rise.
        var mayRise = false
        /// What had been lost when that was last looked at; nil before it was.
        var losses: LiveLosses?
        /// What it said last that it plays.
        var tags: StreamTags?
    }

    /// How long before its beginning a track is anchored, in ns.
    private static let anchorLead: Int64 = 2_000_000_000
    /// How long after its beginning a track waits for this host to know the group's clock well, in ns.
    private static let clockPatience: Int64 = 2_000_000_000
    /// What playback cannot make up for in reasonable time, in ns: the latency is another one from then on.
    private static let largestError: Int64 = 8_000_000

    /// A track's work begins.
    func beginLive(_ track: PlaybackTimeline.Track, _ item: ProducerItem) {
        guard track.item.input.isLive, let address = try? LiveAddress(track.item.input.uri) else {
            if live != nil { endLive() }
            return
        }
        live = LiveState(
            serial: item.serial, begin: item.begin, wanted: address.latency, latency: address.latency,
            mayRise: address.raisesLatency)
        group.setCaptureLatency(address.latency)
    }

    /// Whether what is being made is live: nobody waits for more of it than there is.
    var isLive: Bool { live?.serial == production.serial }

    /// Ten times a second, and when something plays: tells the producer what its beginning is.
    func anchorLive() {
        guard let state = live, !state.isAnchored, state.serial == production.serial, phase == .playing,
            playhead.rate > 0
        else { return }
        let lead = playhead.instant(of: state.begin).nanoseconds(since: groupNow)
        guard lead < Self.anchorLead, group.isClockFine || lead < -Self.clockPatience else { return }
        live?.isAnchored = true
        production.anchor(state.serial, at: now.advanced(byNanoseconds: lead - state.wanted))
    }

    /// Its producer tells how a live track stands.
    func take(_ report: LiveReport) {
        for line in report.news { emit(.notice(.said(line))) }
        guard var state = live, state.serial == production.serial else { return }
        state.report = report
        defer {
            live = state
            noteTags()
        }
        guard let slope = report.slope else { return }
        guard state.isAnchored, phase == .playing, playhead.rate > 0, let capture = report.capture else {
            // While nothing plays, only the rate is of interest.
            if phase != .playing { group.followCapture(error: 0, slope: slope) }
            return
        }
        let plays = now.advanced(byNanoseconds: playhead.instant(of: capture.media).nanoseconds(since: groupNow))
        let latency = plays.nanoseconds(since: capture.instant)
        if abs(latency - state.latency) > Self.largestError { state.latency = latency }
        group.followCapture(error: latency - state.latency, slope: slope)
    }

    /// What plays next is not live.
    private func endLive() {
        live = nil
        group.setCaptureLatency(nil)
    }

    /// What `status` says of a live track.
    func liveStatus(of track: PlaybackTimeline.Track) -> PlayerStatus.Live? {
        guard track.item.input.isLive, let live, track.serial == timeline.last?.serial else { return nil }
        return PlayerStatus.Live(
            latency: Double(live.latency) * 1e-9, wanted: Double(live.wanted) * 1e-9,
            sourcePpm: live.report?.slope.map { $0 * 1e6 }, missing: live.report?.missing ?? 0,
            late: live.report?.late ?? 0)
    }
}
