import TuttiCore
import TuttiPlayback

/// One of a simulated output's two decks: what a run is on, what has been written of it, and where it stands.
struct CoarseDeck {
    let timebase: Timebase
    /// The media time of the first frame.
    let start: MediaTime
    let sampleRate: Int
    /// The true time from which on it plays, and up to which; nil while no end is known.
    let began: Int64
    private(set) var end: Int64?
    /// The place in the stream, in nanoseconds, that plays at true time `at`.
    var place: Double
    var at: Int64
    private(set) var sound = CoarseSound()
    private(set) var framesWritten: Int64 = 0
    /// Nothing follows what is written.
    var hasSourceEnded = false
    var loop = RateLoop(nominalRatio: 1)
    /// Nanoseconds of the stream in one that the card plays.
    var ratio: Double
    var isSounding = true
    /// Whether what is due has not been written yet.
    var isStarved = false
    /// Whether the card has lost its place since.
    var isDiscontinuous: Bool
    /// Whether it has ended.
    private(set) var isOver = false

    /// A deck with a run, which plays at `place` of the stream, in nanoseconds, from the true time `began` on.
    ///
    /// - Parameter ratio: nil while the card's rate is not known.
    init(_ run: PlaybackPlan.Run, began: Int64, place: Double, ratio: Double?) {
        timebase = run.timebase
        start = run.start
        sampleRate = run.sampleRate
        self.began = began
        self.place = place
        self.ratio = ratio ?? 1
        isDiscontinuous = ratio == nil
        at = began
    }

    /// Where in the stream what is written ends, in nanoseconds.
    var writtenEnd: Int64 { (start + MediaTime(frame: framesWritten, sampleRate: sampleRate)).nanoseconds }

    /// Resumes at `time`, wherever the timebase is then.
    mutating func catchUp(to time: Int64) {
        at = time
        isDiscontinuous = true
    }

    /// Plays from now on, which may be later than it should have been.
    mutating func begin(at time: Int64) {
        place += Double(max(0, time - began))
        at = time
    }

    // MARK: Writing

    mutating func write(_ chunk: CoarseChunk) {
        precondition(chunk.frames > 0, "a chunk has frames")
        framesWritten += Int64(chunk.frames)
        guard let packet = chunk.packet else { return }
        sound.append(CoarseSound.Stretch(media: chunk.media, packet: packet))
    }

    mutating func writeSilence(frames: Int) { framesWritten += Int64(max(0, frames)) }

    /// As `Deck.reopen`, for a render thread that has read `read` frames.
    mutating func reopen(atFrame frame: Int64, margin: Int64, read: Int64) -> Bool {
        guard !isOver, frame >= 0, frame <= framesWritten, frame - read >= margin else { return false }
        framesWritten = frame
        sound.cut(from: writtenEnd)
        hasSourceEnded = false
        return true
    }

    /// Forgets sound that played.
    mutating func forget(before place: Int64) { sound.forget(before: place) }

    // MARK: Ending

    /// Ends at a true time that is not before `now`, unless it ends before.
    mutating func end(at time: Int64, now: Int64) {
        let end = min(end ?? .max, max(time, now))
        self.end = end
        if end <= max(now, began) { isOver = true }
    }

    mutating func finish() { isOver = true }
}

extension Timebase {
    /// The place at a group time, in nanoseconds with their fraction.
    func place(atGroupNanoseconds group: Int64) -> Double {
        Double(mediaTime.nanoseconds) + Double(group - groupTime.nanoseconds) * rate
    }
}

/// The two decks, and which of them plays.
struct CoarseDecks {
    private var first: CoarseDeck?
    private var second: CoarseDeck?
    private var audibleSide: DeckSide?

    subscript(side: DeckSide) -> CoarseDeck? {
        get { side == .first ? first : second }
        set { if side == .first { first = newValue } else { second = newValue } }
    }

    /// The deck that plays; nil in silence.
    var audible: CoarseDeck? {
        get { audibleSide.flatMap { self[$0] }.flatMap { $0.isOver ? nil : $0 } }
        set { if let audibleSide { self[audibleSide] = newValue } }
    }

    /// Gives a deck that is not in use another run, which does not play yet.
    mutating func program(_ side: DeckSide, _ deck: CoarseDeck) {
        if audibleSide == side { audibleSide = nil }
        self[side] = deck
    }

    /// When the next one is to play, after `time`.
    func nextStart(after time: Int64) -> Int64? {
        DeckSide.allCases.compactMap { side in
            self[side].flatMap { !$0.isOver && $0.began > time ? $0.began : nil }
        }.min()
    }

    /// Lets what has come to its end by `time` end, and what has come to its start play.
    ///
    /// - Returns: whether another deck plays from then on.
    mutating func turn(at time: Int64) -> Bool {
        if let end = audible?.end, end <= time { audible?.finish() }
        if audible == nil { audibleSide = nil }
        var next: (side: DeckSide, began: Int64)?
        for side in DeckSide.allCases where side != audibleSide {
            guard let deck = self[side], !deck.isOver, deck.began <= time, deck.began > next?.began ?? .min else {
                continue
            }
            next = (side, deck.began)
        }
        guard let next else { return false }
        audible?.finish()
        audibleSide = next.side
        audible?.begin(at: time)
        return true
    }
}
