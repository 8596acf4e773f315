import Synchronization
package import TuttiCore
import TuttiDecoding
import TuttiPlayback
import TuttiRendering

/// The pictures of a stream that comes from a sender, on the line that its sound has: what a screen is to a speaker.
package final class StreamPictures: PictureOutput {
    private struct State {
        /// What the synchronizer was told last.
        var lines: [PictureLine] = []
        var refusedCount = 0
        /// Where the stream ends.
        var end: MediaTime?
    }

    /// Lines of sound and clock move by less all the time, and nobody would see it, in ns.
    private static let tolerance: Int64 = 300_000

    /// Senders are told of bytes and seconds, not of pictures: five minutes of 200 a second.
    private static let maximumPictures = 65_536

    package let codecs = Decoders.decodableVideo
    /// What decodes them and says what is seen when.
    package let renderer: VideoRenderer
    private let captions: (any CaptionSink)?
    private let synchronizer: RenderSynchronizer
    private let clock: PlaybackClock
    private let state = Mutex(State())

    /// Pictures on this host's clock.
    ///
    /// - Parameters:
    ///   - sink: shows them.
    ///   - captions: shows texts above them; nil where nothing does.
    package init(
        sink: any VideoSink, captions: (any CaptionSink)? = nil, clock: PlaybackClock = .system
    ) throws(PlaybackError) {
        (self.captions, self.clock) = (captions, clock)
        renderer = VideoRenderer(clock: clock, sink: sink, maximumPictures: Self.maximumPictures)
        synchronizer = RenderSynchronizer(clock: clock)
        try synchronizer.addRenderer(renderer)
    }

    /// Pictures that were not taken, since too much was held.
    package var refusedCount: Int { state.withLock { $0.refusedCount } }

    package var load: (bytes: Int, maximum: Int) { renderer.load }

    package var showsCaptions: Bool { captions != nil }

    package func insert(_ picture: VideoSampleBuffer, beginsAnew: Bool) {
        if beginsAnew { renderer.flush(fromSourceTime: picture.presentationTime) }
        do throws(PlaybackError) {
            try renderer.enqueue(picture)
        } catch {
            state.withLock { $0.refusedCount += 1 }
        }
    }

    package func insert(_ caption: Caption) { captions?.insert(caption) }

    package func flush(from time: MediaTime?) {
        captions?.flush(from: time)
        guard let time else { return renderer.flush() }
        renderer.flush(fromSourceTime: time)
    }

    package func setEnd(_ time: MediaTime?) { state.withLock { $0.end = time } }

    package func clear() {
        captions?.flush(from: nil)
        captions?.follow([])
        renderer.flushAndRemoveImage()
        state.withLock { state in
            (state.lines, state.end) = ([], nil)
            try? synchronizer.setRate(0, time: .zero, atHostTime: clock.now())
        }
    }

    package func follow(_ lines: [PictureLine]) {
        captions?.follow(lines)
        let now = clock.now()
        defer { if isEnding(now) { renderer.finishMediaData() } }
        let current = lines.last { $0.instant <= now }
        let next = lines.last { $0.instant > now && $0 == lines.last }
        state.withLock { state in
            for line in [current, next].compactMap(\.self) where !state.lines.contains(where: { Self.isSame($0, line) })
            {
                // One that takes the place of lines to come is followed by these.
                state.lines.removeAll { $0.instant >= line.instant || $0.media == line.media && $0.rate == line.rate }
                guard (try? synchronizer.setRate(line.rate, time: line.media, atHostTime: line.instant)) != nil else {
                    continue
                }
                state.lines = (state.lines + [line]).suffix(Self.remembered)
            }
        }
    }

    /// Whether the end is so near that nothing more is awaited: the decoder, which keeps some pictures back, gives them
    /// out then. Not before, for it cannot go on in the middle of a film.
    private func isEnding(_ now: HostTime) -> Bool {
        state.withLock { state in
            guard let end = state.end, let line = state.lines.last(where: { $0.instant <= now }), line.rate > 0 else {
                return false
            }
            let passed = Double(now.nanoseconds(since: line.instant)) * 1e-9 * line.rate
            return (end - line.media).seconds - passed < Self.endLead
        }
    }

    /// How long before the end, in seconds of the stream.
    private static let endLead = 1.0

    /// Lines that are remembered: the one that holds, and one to come.
    private static let remembered = 2

    private static func isSame(_ left: PictureLine, _ right: PictureLine) -> Bool {
        left.rate == right.rate && left.media == right.media
            && (left.rate == 0 || left.instant.nanoseconds(since: right.instant).magnitude < tolerance)
    }
}
