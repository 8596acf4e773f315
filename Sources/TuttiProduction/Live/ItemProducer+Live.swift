import TuttiAssets
import TuttiClock
import TuttiCodecs
import TuttiCore
import TuttiEncoding
import TuttiHost
import TuttiLive

/// Live sources: their frames go onto the timeline as they are captured.
extension ItemProducer {
    /// What a live source asks of the producer's thread while it runs.
    struct LiveAsks {
        /// The instant whose capture plays at the beginning; nil while that is not known.
        var anchor: () -> HostTime?
        /// Nanoseconds from capture to sound, once there are more than at first.
        var latency: () -> Int64?
        /// How far on the timeline there may be sound now.
        var limit: () -> MediaTime

        /// Of a track that is not live.
        static var none: LiveAsks { LiveAsks(anchor: { nil }, latency: { nil }, limit: { .lowest }) }
    }

    /// Latencies from here on leave the time for a codec's packets; below it PCM travels in short ones, in ns.
    private static let unhurried: Int64 = 400_000_000
    /// Milliseconds for which a read waits at most.
    private static let step: Int32 = 10
    /// Nanoseconds between two reports.
    private static let reportInterval: Int64 = 100_000_000

    /// Plays a live source until it is not wanted any more.
    func produceLive(_ order: LiveOrder, _ asks: LiveAsks) throws {
        let address = try LiveAddress(item.input.uri)
        let source = try LiveSource(address, name: item.input.name, clock: order.clock)
        (start, end) = (item.begin, item.begin)
        let info = AssetInfo(
            live: item.input, sampleRate: source.sampleRate, channelCount: source.channelCount,
            bitDepth: source.bitDepth)
        report(.opened(takeLevel(for: info)))
        options.hurry(for: address.latency, below: Self.unhurried)
        try startRun(source.sampleRate, bitDepth: source.bitDepth)
        var timeline = LiveTimeline(sampleRate: source.sampleRate, latency: address.latency)
        try encode(timeline.begin(), source.sampleRate)
        silence = LiveSilence(threshold: address.threshold, sampleRate: source.sampleRate)
        var (reported, hasLost) = (order.clock.now(), false)
        while mayContinue(.lowest) {
            if !timeline.isAnchored, let anchor = asks.anchor() {
                for piece in timeline.anchor(at: anchor, source.line) { try encode(piece, source.sampleRate) }
            }
            if let latency = asks.latency() { timeline.wait(for: latency) }
            // Where nobody takes any more, what is captured is lost.
            let isFull = end >= asks.limit()
            if let block = source.read(milliseconds: Self.step) {
                let isAnew = block.isAnew || hasLost
                hasLost = isFull
                let pieces =
                    isFull ? [] : timeline.take(block.samples, first: block.first, isAnew: isAnew, block.line)
                for piece in pieces { try encode(piece, source.sampleRate) }
            }
            let now = order.clock.now()
            if !isFull { for piece in timeline.wait(until: now, source.line) { try encode(piece, source.sampleRate) } }
            guard now.nanoseconds(since: reported) >= Self.reportInterval else { continue }
            reported = now
            report(.live(standing(of: source, timeline)))
        }
    }

    private func encode(_ piece: LiveTimeline.Piece, _ sampleRate: Int) throws {
        switch piece {
        case .silence(var frames):
            silence?.hear(silence: frames)
            while frames > 0 {
                let count = min(frames, sampleRate)
                try encode([Float](repeating: 0, count: 2 * count))
                frames -= count
            }
        case .sound(var samples):
            silence?.hear(samples)
            gain.apply(to: &samples, from: livePosition, sampleRate: sampleRate)
            livePosition += samples.count / 2
            try encode(samples)
        }
    }

    private func standing(of source: LiveSource, _ timeline: LiveTimeline) -> LiveReport {
        let rate = source.sampleRate
        var report = LiveReport(
            missing: Double(timeline.missing) / Double(rate), late: Double(timeline.late) / Double(rate),
            silence: silence?.seconds ?? 0, news: source.takeNews())
        guard let line = source.line else { return report }
        report.slope = line.ppm * 1e-6
        if let instant = timeline.capture(of: timeline.position, line) {
            let media = item.begin + MediaTime(frame: timeline.position, sampleRate: rate)
            report.capture = (media, instant)
        }
        return report
    }
}

extension EncodingOptions {
    /// Packets short enough for a latency, in ns: PCM of a tenth of it, 5 to 20 ms, where no codec has the time.
    fileprivate mutating func hurry(for latency: Int64, below unhurried: Int64) {
        keepsOriginals = false
        guard latency < unhurried else { return }
        codec = .pcm
        encoder.packetMilliseconds = Int(min(max(latency / 10_000_000, 5), 20))
    }
}
