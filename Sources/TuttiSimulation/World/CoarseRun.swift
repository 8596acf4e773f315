import TuttiCore
import TuttiPlayback

/// Sound along one line, from an instant on.
struct CoarseRun {
    let line: Timebase
    /// The true time from which on it is heard, and up to which; nil while no end is known.
    let began: Int64
    var end: Int64?
    /// The place in the programme, in nanoseconds, that is heard at true time `at`.
    var place: Double
    var at: Int64
    /// What is decoded of it, and how far.
    var deck = CoarseDeck()
    var cursor: MediaTime
    var loop = RateLoop(nominalRatio: 1)
    /// Nanoseconds of the programme in one that the card plays.
    var ratio: Double
    var isSounding = true
    /// Whether the card has lost its place since.
    var isDiscontinuous = false

    init(line: Timebase, began: Int64, place: Double, from cursor: MediaTime, ratio: Double) {
        self.line = line
        self.cursor = cursor
        self.began = began
        self.place = place
        self.ratio = ratio
        at = began
    }

    /// Goes on from `time`, wherever the line is then.
    mutating func catchUp(to time: Int64) {
        at = time
        isDiscontinuous = true
    }
}

extension Timebase {
    /// The place at a group time, in nanoseconds with their fraction.
    func place(atGroupNanoseconds group: Int64) -> Double {
        Double(mediaTime.nanoseconds) + Double(group - groupTime.nanoseconds) * rate
    }
}

/// Sound that waits for its instant.
struct CoarseStage {
    var start: MediaTime
    var isReady = false
    /// Where nothing was held, up to the start; nil without such a gap.
    var gap: MediaTime?
}
