package import TuttiAssets
package import TuttiClock
import TuttiCore
package import TuttiHost

/// Live sound as it is captured: read, opened again where it ends, and put on this host's clock. Used by one thread.
package final class LiveSource {
    /// Sound that was captured.
    package struct Block: Sendable {
        /// Interleaved stereo at ±1.
        package var samples: [Float]
        /// The number of the first frame.
        package var first: Int64
        /// When which frame was captured.
        package var line: DACEstimate
        /// Whether the frames before it say nothing of when these were captured: the source had paused, or is another.
        package var isAnew: Bool
    }

    /// Frames a second; the same for as long as it is read.
    package let sampleRate: Int
    /// Significant bits of a sample.
    package let bitDepth: Int
    /// Channels before they were made two.
    package let channelCount: Int
    /// How long after it was captured sound is heard, in ns.
    package let latency: Int64

    private let door: LiveDoor
    private let name: String
    private let clock: HostClock
    private var reader: (any LiveReader)?
    private var card: DACModel?
    private var arrivals: ArrivalClock
    private var next: Int64 = 0
    /// What is to be added to a card's own count of frames to have the numbers of frames here.
    private var cardOffset: Int64 = 0
    private var isAnew = true
    private var lastFrames: HostTime?
    private var lastReading: HostTime?
    private var retry = Retry()
    private var trouble: String?
    private var news: [String] = []

    /// Nanoseconds without a frame after which a stream has paused.
    private static let pause: Int64 = 300_000_000
    /// Nanoseconds between two readings of a card's clock.
    private static let readingInterval: Int64 = 20_000_000

    /// Opens a source. One that is not there yet is waited for, except a card.
    ///
    /// - Throws: `AssetError.unreadable`.
    package init(_ address: LiveAddress, name: String, clock: HostClock) throws(AssetError) {
        door = LiveDoor(address, clock: clock)
        (self.name, self.clock, latency) = (name, clock, address.latency)
        var opened: (any LiveReader)?
        switch address.source {
        case .card, .pipe:
            do throws(Refusal) {
                opened = try door.open(milliseconds: 0)
            } catch {
                throw .unreadable(name, reason: error.reason)
            }
        default: break
        }
        sampleRate = opened?.sampleRate ?? address.format.sampleRate
        bitDepth = opened?.bitDepth ?? address.format.sample.bitDepth
        channelCount = opened?.channelCount ?? address.format.channelCount
        arrivals = ArrivalClock(sampleRate: sampleRate)
        if let opened { use(opened) }
    }

    /// Whether a source could be had, without taking anything out of it.
    ///
    /// - Throws: `AssetError.unreadable`.
    package static func check(_ address: LiveAddress, name: String, clock: HostClock) throws(AssetError) {
        switch address.source {
        case .card, .pipe: _ = try LiveSource(address, name: name, clock: clock)
        case .socket, .node, .connection, .listener, .program: break
        }
    }

    /// When which frame was captured; nil before that is known.
    package var line: DACEstimate? {
        guard var line = card?.estimate else { return card == nil ? arrivals.estimate : nil }
        line.referenceFrame &+= cardOffset
        return line
    }

    /// What people should know of it, once.
    package func takeNews() -> [String] {
        defer { news = [] }
        return news
    }

    /// What comes next; nil where nothing has come within the time.
    package func read(milliseconds: Int32) -> Block? {
        guard let reader else {
            open(milliseconds)
            return nil
        }
        var samples: [Float] = []
        let count: Int
        do throws(LiveEnd) {
            count = try reader.read(into: &samples, milliseconds: milliseconds)
        } catch {
            end(error)
            return nil
        }
        let now = clock.now()
        noteTime(reader, now)
        guard count > 0 else { return nil }
        notePause(now)
        let first = next
        next &+= Int64(count)
        if card == nil { arrivals.observe(hostTime: now, frames: next) }
        (lastFrames, trouble) = (now, nil)
        retry.succeeded()
        // What nobody knows the time of has no place.
        guard let line else { return nil }
        defer { isAnew = false }
        return Block(samples: samples, first: first, line: line, isAnew: isAnew)
    }

    // MARK: Its clock

    private func noteTime(_ reader: any LiveReader, _ now: HostTime) {
        guard card != nil, lastReading.map({ now.nanoseconds(since: $0) >= Self.readingInterval }) ?? true,
            let timing = reader.timing()
        else { return }
        lastReading = now
        card?.observe(hostTime: timing.time, playedFrames: timing.frames)
    }

    /// A stream without a clock that has paused goes on at an instant of its own.
    private func notePause(_ now: HostTime) {
        guard card == nil, let lastFrames, now.nanoseconds(since: lastFrames) > Self.pause else { return }
        arrivals.restart()
        isAnew = true
    }

    // MARK: Its end, and its return

    private func use(_ reader: any LiveReader) {
        self.reader = reader
        isAnew = true
        lastReading = nil
        if reader.timing() != nil {
            let ppm = card?.estimate.map { (value: $0.ppm, sigma: max($0.ppmSigma, 2)) }
            card = DACModel(nominalRate: Double(sampleRate), kind: .unknown, rememberedPpm: ppm)
            cardOffset = next
        } else {
            arrivals.restart()
        }
    }

    private func open(_ milliseconds: Int32) {
        let now = clock.now()
        guard retry.isDue(now) else { return Pause.milliseconds(milliseconds) }
        retry.tried(now)
        do throws(Refusal) {
            guard let opened = try door.open(milliseconds: milliseconds) else { return retry.isListening() }
            guard opened.sampleRate == sampleRate else {
                return say("\(name): it has \(opened.sampleRate) frames a second now; play it again")
            }
            if trouble != nil { news.append("\(name): it is back") }
            use(opened)
        } catch {
            say("\(name): \(error.reason); it is tried again")
        }
    }

    private func end(_ end: LiveEnd) {
        reader = nil
        switch end {
        case .overrun:
            // The card is to be started anew.
            news.append("\(name): this computer was too slow; some of it is lost")
            retry.succeeded()
        case .gone(let reason): say("\(name): \(reason); it is waited for")
        }
    }

    /// Says what is wrong, unless that is what was said before.
    private func say(_ text: String) {
        if trouble == nil { news.append(text) }
        trouble = text
    }
}
