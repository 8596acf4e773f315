#if FFmpeg
package import TuttiCore

/// The subtitles of one track, on the timeline of a player.
///
/// A text file is read at once; a track of the medium as it comes, since reading all of it is reading all of the film.
/// So whoever reads says how far: to the place up to which pictures are sent, or a little behind it.
///
/// Used by one thread at a time, which reads. Only `interrupter` may be used from elsewhere meanwhile.
package final class SubtitleReader {
    /// What is read.
    package let span: PictureSpan
    /// Where the subtitles are.
    package let place: SubtitleTrack.Place
    /// Makes blocking input give up, from any thread.
    package let interrupter: Interrupter
    /// What texts refer to; nil before the first `next`, and for images.
    package private(set) var style: SubtitleStyle?
    /// Why the subtitles cannot be shown, or not all of them, in one line; nil while nothing is wrong.
    package private(set) var problem: String?
    /// Where the span ends on the timeline: as the span says, until more is known. What was given out stays so.
    package var end: MediaTime?
    /// Whether there are no further cues.
    package var isOver: Bool { hasEnded || end.map { wasRead >= $0 } ?? false }

    /// How long a text is shown that does not tell.
    static let usualDuration = MediaTime(frame: 5, sampleRate: 1)
    /// The longest that an image of unknown length is read ahead for; then it is given out, and later once more.
    private static let longestWait = MediaTime(frame: 10, sampleRate: 1)

    private let policy: ReconnectPolicy
    private let from: MediaTime
    private var stream: SubtitleStream?
    private var (isOpen, hasEnded) = (false, false)
    /// The time on the timeline up to which everything was given out.
    private var wasRead = MediaTime.lowest
    /// What is to be given out, on the film's timeline.
    private var ready: ArraySlice<PlacedSubtitle> = []

    /// A reader for one track. Nothing is opened before the first `next`.
    ///
    /// - Parameters:
    ///   - span: the film, and where it lies.
    ///   - place: the subtitles, those of one of the film's tracks or a file's.
    ///   - from: the time on the timeline from which on subtitles are wanted; nil for the span's start.
    ///   - interrupter: stops reading from another thread.
    ///   - policy: how a broken connection is made again.
    package init(
        _ span: PictureSpan, _ place: SubtitleTrack.Place, from: MediaTime? = nil,
        interrupter: Interrupter = Interrupter(), policy: ReconnectPolicy = ReconnectPolicy()
    ) {
        self.span = span
        self.place = place
        self.from = max(from ?? span.start, span.start)
        self.interrupter = interrupter
        self.policy = policy
        end = span.end
    }

    /// The next cue that begins before a time on the timeline, in the order in which the medium has them; nil when there
    /// is none, or none any more. One that began before `from` and is still shown then comes too.
    ///
    /// An image that does not tell how long it is shown, and stays for more than ten seconds, comes as several cues.
    ///
    /// - Throws: `.interrupted` after `interrupter.interrupt()`, nothing else: what is wrong with the subtitles is the
    ///   `problem`.
    package func next(until: MediaTime) throws(AssetError) -> SubtitleCue? {
        if !isOpen { try open() }
        let until = end.map { min($0, until) } ?? until
        let place = span.place(at: until)
        while true {
            if let first = ready.first {
                guard first.start < place else { break }
                ready.removeFirst()
                if let cue = cue(first) { return cue }
            } else {
                guard try read(until: place) else { break }
            }
        }
        wasRead = max(wasRead, until)
        return nil
    }

    /// Reads something.
    ///
    /// - Returns: false when everything that begins before `place` has been read.
    private func read(until place: MediaTime) throws(AssetError) -> Bool {
        guard let stream else {
            hasEnded = true
            return false
        }
        do throws(AssetError) {
            if let cues = try stream.next(until: place, longestWait: Self.longestWait) {
                ready = cues[...]
                return true
            }
            if stream.isOver { self.stream = nil }
            if let what = stream.problem { note("\(span.input.name): \(what)") }
            return stream.isOver
        } catch {
            try note(error)
            self.stream = nil
            return true
        }
    }

    /// On the player's timeline; nil for one that is not shown there.
    private func cue(_ placed: PlacedSubtitle) -> SubtitleCue? {
        let start = max(span.time(of: placed.start), span.start)
        let time = span.time(of: placed.end)
        let end = self.end.map { min($0, time) } ?? time
        guard end > from else { return nil }
        return SubtitleCue(start: start, end: end, content: placed.content)
    }

    // MARK: Opening

    private func open() throws(AssetError) {
        isOpen = true
        do throws(AssetError) {
            switch place {
            case .file(let path):
                let file = try SubtitleFile(path, interrupter: interrupter)
                style = file.style
                ready = file.cues(in: span.input)[...]
                if file.cues.isEmpty { note("\(path): there are no subtitles in it") }
                if file.isCut { note("\(path): subtitles after the first \(SubtitleFile.maximumCues) are left out") }
            case .stream(let id):
                guard !span.input.isReadOnce else {
                    return note("\(span.input.name): its subtitles cannot be read, since its bytes come only once")
                }
                let stream = try SubtitleStream(span.input, id, interrupter: interrupter, policy: policy)
                let place = span.place(at: from)
                if place.isPositive { stream.seek(to: place) }
                style = stream.style
                self.stream = stream
            }
        } catch {
            try note(error)
        }
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
