#if FFmpeg
package import TuttiCore
import TuttiFFmpeg

/// The coded pictures of one track, on the timeline of a player, in decoding order.
///
/// A track without a film has its cover for as long as it lasts, one without a cover a black picture, so that the film
/// before does not stay on the screen. A film that is over before its sound leaves its last picture; before one that
/// begins after its sound, there is a black picture.
///
/// Used by one thread at a time, which reads and decodes covers. Only `interrupter` may be used from elsewhere meanwhile.
package final class SpanReader {
    /// What is read.
    package let span: PictureSpan
    /// The time on the timeline from which on pictures are wanted; at or after the span's start.
    package let from: MediaTime
    /// Makes blocking input give up, from any thread.
    package let interrupter: Interrupter
    /// Why the track's pictures cannot be shown, or not to the end, in one line; nil while nothing is wrong.
    package private(set) var problem: String?

    private enum Source {
        case unopened
        case film(FilmReader)
        case still(StillPicture, next: MediaTime)
        case over
    }

    private let policy: ReconnectPolicy
    private let artwork: AssetInfo.Artwork?
    private var source = Source.unopened
    private var pictures: SpanPictures
    /// Whether the film gave a picture.
    private var hasShown = false

    /// A reader for one track. Nothing is opened before the first `next`.
    ///
    /// - Parameters:
    ///   - span: the track, and where it lies.
    ///   - from: the time on the timeline from which on pictures are wanted; nil for the span's start, which earlier
    ///     times count as.
    ///   - artwork: the track's cover where it is known; looked for where it is not and is needed.
    ///   - interrupter: stops reading from another thread.
    ///   - policy: how a broken connection is made again.
    package init(
        _ span: PictureSpan, from: MediaTime? = nil, artwork: AssetInfo.Artwork? = nil,
        interrupter: Interrupter = Interrupter(), policy: ReconnectPolicy = ReconnectPolicy()
    ) {
        self.span = span
        self.from = max(from ?? span.start, span.start)
        self.artwork = artwork
        self.interrupter = interrupter
        self.policy = policy
        pictures = SpanPictures(span, from: self.from)
    }

    /// Where the span ends on the timeline: as the span says, until more is known. What was given out stays so.
    package var end: MediaTime? {
        get { pictures.end }
        set { pictures.end = newValue }
    }

    /// The next picture: the first is the last sync picture at or before `from`. Nil at the end.
    ///
    /// - Throws: `.interrupted` after `interrupter.interrupt()`, nothing else: what is wrong with the track's pictures is
    ///   its `problem`.
    package func next() throws(AssetError) -> VideoSampleBuffer? {
        while true {
            switch source {
            case .unopened: source = end.map { from >= $0 } ?? false ? .over : try open()
            case .film(let film):
                if let picture = try next(of: film) { return picture }
                if hasShown {
                    source = .over
                } else {
                    note("\(span.input.name): none of its pictures can be read")
                    source = try still()
                }
            case .still(let picture, let time): return next(of: picture, at: time)
            case .over: return nil
            }
        }
    }

    // MARK: Film

    private func open() throws(AssetError) -> Source {
        // Its bytes come once only, and the sound has them.
        if span.input.isReadOnce { return try still() }
        do throws(AssetError) {
            let film = try FilmReader(span.input, interrupter: interrupter, policy: policy)
            if let wanted = span.videoTrack, wanted != film.track.id { try select(wanted, in: film) }
            let place = span.place(at: from)
            if place.isPositive { try film.seek(to: place) }
            return .film(film)
        } catch {
            if case .noVideoStream = error {} else { try note(error) }
            return try still()
        }
    }

    private func select(_ id: Int, in film: FilmReader) throws(AssetError) {
        guard let track = film.tracks.first(where: { $0.id == id }) else {
            return note("\(span.input.name): there is no video track \(id); another one is shown")
        }
        try film.select(track)
    }

    private func next(of film: FilmReader) throws(AssetError) -> VideoSampleBuffer? {
        while true {
            if let picture = pictures.popFirst() {
                hasShown = true
                return picture
            }
            guard pictures.wantsMore else { return nil }
            do throws(AssetError) {
                let picture = try film.next()
                if film.hasWrongTimes {
                    note("\(span.input.name): times of its pictures are wrong; those are left out")
                }
                if let picture {
                    pictures.append(picture) { StillPicture.blank?.buffer(at: $0, duration: $1) }
                    continue
                }
            } catch {
                try note(error)
            }
            pictures.finish()
        }
    }

    // MARK: Still

    /// The cover, or a black picture.
    private func still() throws(AssetError) -> Source {
        let start = max(span.start, .zero)
        guard let picture = try cover() ?? StillPicture.blank else { return .over }
        // It is said again every hour, the longest that a picture can last.
        let hours = (max(from, start) - start).frame(at: 1, rounding: .down) / Self.stillSeconds
        return .still(picture, next: start + MediaTime(frame: hours * Self.stillSeconds, sampleRate: 1))
    }

    private static let stillSeconds = VideoSampleBuffer.maximumDuration.frame(at: 1)

    private func cover() throws(AssetError) -> StillPicture? {
        guard let artwork = try findArtwork() else { return nil }
        do throws(FFmpegError) {
            return try artwork.still(within: StillPicture.maximumSide)
        } catch {
            note("\(span.input.name): its cover cannot be shown: \(error)")
            return nil
        }
    }

    private func findArtwork() throws(AssetError) -> AssetInfo.Artwork? {
        if let artwork { return artwork }
        if let path = span.artwork { return AssetInfo.Artwork(file: path) }
        do throws(AssetError) {
            return try .find(for: span.input, interrupter: interrupter, policy: policy)
        } catch {
            // What has no sound either is reported by whoever plays it.
            if case .noAudioStream = error { return nil }
            try note(error)
            return nil
        }
    }

    private func next(of picture: StillPicture, at time: MediaTime) -> VideoSampleBuffer? {
        let next = time + VideoSampleBuffer.maximumDuration
        source = end.map { next < $0 } ?? false ? .still(picture, next: next) : .over
        return picture.buffer(at: time, duration: end.map { $0 - time } ?? VideoSampleBuffer.maximumDuration)
    }

    // MARK: Problems

    private func note(_ error: AssetError) throws(AssetError) {
        if case .interrupted = error { throw error }
        if interrupter.wasInterrupted { throw .interrupted(span.input.name) }
        note(error.description)
    }

    /// The first one is the one that counts.
    private func note(_ text: String) { problem = problem ?? text }
}
#endif
