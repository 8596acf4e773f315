import Synchronization
package import TuttiClock

/// How far the sound was from its place over the last minutes, as the render thread saw it and as it looks by now.
///
/// The loop's own error says how far the sound is from where clock and card are *believed* to be; it is small while
/// both beliefs are wrong. So each record keeps the belief: when its frame was to sound, by the host's and by the
/// group's clock, and how sure that was. Half a minute later the clock is known better, also for the time of the
/// record, and the difference is the error that nobody could see then. After `revisionSteps` records that is settled
/// for good: a line that is drawn on further back than that errs itself.
///
/// Guard: one render thread writes, any thread reads; all words are atomic, and a record is written long before its
/// place in the ring is used again.
package final class RenderHistory: Sendable {
    /// Nanoseconds of sound from one record to the next.
    package static let interval: Int64 = 100_000_000
    /// Records of a minute of sound: what the percentile is taken of.
    package static let minute = 600
    /// After so many records, 20 s, a record is seen with the clock of then for good.
    package static let revisionSteps = 200
    /// After so many records, 10 s, it is seen where the card really stood.
    package static let cardSteps = 100
    /// The first records of a run that are not seen so: until its loop has locked a card may run at another rate, which
    /// a line of later says nothing about.
    private static let lockingSteps = 3
    private static let capacity = 1_024
    private static let width = 8

    /// What the render thread knows of a period.
    package struct Note: Sendable {
        /// How much too late the sound is by its own belief, in ns.
        package var lateness: Double
        /// How much later than by the card's line it is by something else that the card says, in ns.
        package var objection: Double
        /// When the period's first frame plays, by the host's clock, in ns.
        package var host: Int64
        /// The same by the group's clock.
        package var group: Int64
        /// Standard deviation of the card's position, in ns.
        package var cardSigma: Double
        /// The frame of the card's run that is the period's first.
        package var frame: Int64
        /// When that leaves the card, by the host's clock, in ns.
        package var left: Int64

        package init(
            lateness: Double, objection: Double = 0, host: Int64, group: Int64, cardSigma: Double, frame: Int64 = 0,
            left: Int64? = nil
        ) {
            self.lateness = lateness
            self.objection = objection
            self.host = host
            self.group = group
            self.cardSigma = cardSigma
            self.frame = frame
            self.left = left ?? host
        }
    }

    private let count = Atomic<Int>(0)
    private let forgotten = Atomic<Int>(0)
    private let latestBits = Atomic<UInt64>(Double.nan.bitPattern)
    private let lastRecord = Atomic<Int64>(.min)
    /// The first record of the card's present run.
    private let runBegin = Atomic<Int>(0)
    private let words = InlineArray<8_192, Atomic<UInt64>> { _ in Atomic(0) }
    /// Every period's error by its own belief, since the speaker started.
    package let errors = ErrorHistogram()

    /// A history of nothing.
    package init() {}

    /// The card has begun another run: its frames are counted anew. RT.
    package func beginRun() { runBegin.store(count.load(ordering: .relaxed), ordering: .relaxed) }

    /// Takes a period in which the sound was on a line, `clock` being what is believed of the group's clock and `card`
    /// of the card's. RT.
    package func take(_ note: Note, clock: ClockEstimate, card: DACEstimate? = nil) {
        latestBits.store((note.lateness + note.objection).bitPattern, ordering: .relaxed)
        errors.count(note.lateness + note.objection)
        let (passed, overflow) = note.host.subtractingReportingOverflow(lastRecord.load(ordering: .relaxed))
        guard overflow || passed < 0 || passed >= Self.interval else { return }
        lastRecord.store(note.host, ordering: .relaxed)
        let index = count.load(ordering: .relaxed)
        let base = Self.base(index)
        words[base].store(UInt64(bitPattern: note.host), ordering: .relaxed)
        words[base + 1].store(UInt64(bitPattern: note.group), ordering: .relaxed)
        words[base + 2].store(Self.packed(note.lateness, note.objection), ordering: .relaxed)
        words[base + 3].store(
            Self.packed(note.cardSigma, clock.sigma(atHostNanoseconds: note.host)), ordering: .relaxed)
        words[base + 4].store(clock.timescaleRawValue, ordering: .relaxed)
        words[base + 5].store(0, ordering: .relaxed)
        words[base + 6].store(UInt64(bitPattern: note.frame), ordering: .relaxed)
        words[base + 7].store(UInt64(bitPattern: note.left), ordering: .relaxed)
        count.store(index &+ 1, ordering: .releasing)
        if index - Self.revisionSteps >= forgotten.load(ordering: .relaxed) {
            revise(index - Self.revisionSteps, clock)
        }
        if let card, index - Self.cardSteps >= runBegin.load(ordering: .relaxed) + Self.lockingSteps {
            revise(index - Self.cardSteps, card)
        }
    }

    /// Forgets what played before.
    package func forget() {
        latestBits.store(Double.nan.bitPattern, ordering: .relaxed)
        forgotten.store(count.load(ordering: .acquiring), ordering: .relaxed)
    }

    /// How much too late the last period was by its own belief, in ns; nil before the first.
    package var latest: Double? {
        let latest = Double(bitPattern: latestBits.load(ordering: .relaxed))
        return latest.isNaN ? nil : latest
    }

    /// How late the sound of the last minute was, as far as it is known by now.
    package func deviations(clock: ClockEstimate?) -> [Deviation] {
        let end = count.load(ordering: .acquiring)
        let first = max(forgotten.load(ordering: .relaxed), end - Self.minute)
        return (min(first, end)..<end).map { deviation($0, clock) }
    }

    // MARK: Records

    private static func base(_ index: Int) -> Int { index % capacity * width }

    /// How far off the card's line was shows in where the line lies ten seconds later: nothing of what was read then
    /// need be in that one.
    private func revise(_ index: Int, _ card: DACEstimate) {
        let base = Self.base(index)
        let frame = Int64(bitPattern: words[base + 6].load(ordering: .relaxed))
        let believed = Int64(bitPattern: words[base + 7].load(ordering: .relaxed))
        let moved = Double(card.hostTime(ofFrame: frame).nanoseconds - believed)
        // What spoke against the line of then is in this one.
        let lateness = Self.unpacked(words[base + 2].load(ordering: .relaxed)).first
        words[base + 2].store(Self.packed(lateness + moved, 0), ordering: .relaxed)
    }

    private func revise(_ index: Int, _ clock: ClockEstimate) {
        let base = Self.base(index)
        guard words[base + 4].load(ordering: .relaxed) == clock.timescaleRawValue else { return }
        let (moved, sigma) = seen(base, clock)
        // All zeros would be a record that was not revised.
        words[base + 5].store(Self.packed(moved, max(sigma, 1e-3)), ordering: .relaxed)
    }

    /// How much later than was believed the record's frame sounded by `clock`, and the standard deviation of that.
    private func seen(_ base: Int, _ clock: ClockEstimate) -> (moved: Double, sigma: Double) {
        let host = Int64(bitPattern: words[base].load(ordering: .relaxed))
        let group = Int64(bitPattern: words[base + 1].load(ordering: .relaxed))
        return (
            clock.groupNanoseconds(atHostNanoseconds: host, since: group), clock.sigma(atHostNanoseconds: host)
        )
    }

    private func deviation(_ index: Int, _ clock: ClockEstimate?) -> Deviation {
        let base = Self.base(index)
        let (lateness, objection) = Self.unpacked(words[base + 2].load(ordering: .relaxed))
        let (cardSigma, sigmaThen) = Self.unpacked(words[base + 3].load(ordering: .relaxed))
        let revision = words[base + 5].load(ordering: .relaxed)
        var now = (moved: 0.0, sigma: sigmaThen)
        if revision != 0 {
            let (moved, sigma) = Self.unpacked(revision)
            now = (moved, sigma)
        } else if let clock, clock.timescaleRawValue == words[base + 4].load(ordering: .relaxed) {
            now = seen(base, clock)
        }
        // What is known by now replaces what was known then as far as it is the surer of the two.
        let share = sigmaThen > 0 ? max(0, 1 - now.sigma * now.sigma / (sigmaThen * sigmaThen)) : 0
        let variance =
            share * now.sigma * now.sigma + (1 - share) * sigmaThen * sigmaThen + cardSigma * cardSigma
        return Deviation(mean: lateness + objection + share * now.moved, sigma: variance.squareRoot())
    }

    /// Two numbers in one word.
    private static func packed(_ first: Double, _ second: Double) -> UInt64 {
        UInt64(Float(first).bitPattern) << 32 | UInt64(Float(second).bitPattern)
    }

    private static func unpacked(_ word: UInt64) -> (first: Double, second: Double) {
        (
            Double(Float(bitPattern: UInt32(word >> 32))),
            Double(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
        )
    }
}
