import Testing
import TuttiClock
import TuttiCore
import TuttiRendering

/// What a renderer says of its own error.
@Suite struct RenderHistoryTests {
    private static let base: Int64 = 7_000_000_000_000

    private func clock(
        at seconds: Double, offset: Double, sigma: Double, drift: Double = 0, driftSigma: Double = 0,
        scale: UInt64 = 9
    ) -> ClockEstimate {
        let whole = offset.rounded(.down)
        return ClockEstimate(
            timescale: TimescaleID(rawValue: scale),
            referenceHost: HostTime(nanoseconds: Self.base + Int64(seconds * 1e9)), offset: Int64(whole),
            offsetFraction: offset - whole, drift: drift, offsetSigma: sigma, driftSigma: driftSigma)
    }

    /// A period heard at `seconds`, `lateness` ns late by its own belief.
    private func take(
        _ history: RenderHistory, at seconds: Double, lateness: Double, clock: ClockEstimate, cardSigma: Double = 0
    ) {
        let host = Self.base + Int64(seconds * 1e9)
        let note = RenderHistory.Note(
            lateness: lateness, host: host, group: clock.groupTime(at: HostTime(nanoseconds: host)).nanoseconds,
            cardSigma: cardSigma)
        history.take(note, clock: clock)
    }

    @Test("a period's error counts below the least bound that it does not exceed, late or early")
    func errorsAreCounted() {
        let history = RenderHistory()
        let known = clock(at: 0, offset: 0, sigma: 0)
        for (period, lateness) in [0, 1_000, -1_001, 4_000_000, -3e9, .nan, .infinity].enumerated() {
            take(history, at: Double(period) / 100, lateness: lateness, clock: known)
        }
        let errors = Dictionary(uniqueKeysWithValues: zip(history.errors.bounds + [.infinity], history.errors.counts))
        #expect(errors.filter { $0.value > 0 } == [1e-6: 2, 2e-6: 1, 5e-3: 1, .infinity: 1])
        #expect(abs(history.errors.sum - 3.004002001) < 1e-12)
        history.forget()
        #expect(history.errors.counts.reduce(0, +) == 5, "they are counted since the speaker started")
    }

    /// Periods of 10 ms on a card whose line has frames leave so many ns earlier than they do.
    private func take(
        _ history: RenderHistory, periods: Range<Int>, believedEarly: Int64, objection: Double = 0
    ) {
        let known = clock(at: 0, offset: 0, sigma: 0)
        for period in periods {
            let frame = Int64(period) * 480
            let left = Self.base + frame * 1_000_000_000 / 48_000
            let card = DACEstimate(
                referenceHostNanoseconds: Self.base - believedEarly, referenceFrame: 0, referenceFrameFraction: 0,
                framesPerNanosecond: 48e-6, positionSigma: 1_000, ppm: 0, ppmSigma: 0.1)
            let note = RenderHistory.Note(
                lateness: 0, objection: objection, host: left, group: left, cardSigma: 1_000, frame: frame,
                left: left - believedEarly)
            history.take(note, clock: known, card: card)
        }
    }

    @Test func thePercentileOfOneNormalDistributionIsThatOfTheBooks() throws {
        let one = [RenderHistory.Deviation(mean: 0, sigma: 1_000)]
        #expect(abs(try #require(RenderHistory.percentile(0.99, of: one)) - 2_576) < 3)
        let shifted = [RenderHistory.Deviation(mean: -10_000, sigma: 1_000)]
        #expect(abs(try #require(RenderHistory.percentile(0.99, of: shifted)) - 12_326) < 5)
        #expect(RenderHistory.percentile(0.99, of: []) == nil)
    }

    @Test func withEverythingKnownItIsTheLoopsOwnErrorForTwoRooms() throws {
        let history = RenderHistory()
        let known = clock(at: 0, offset: 0, sigma: 0)
        #expect(history.pairDistance(clock: known) == nil && history.latest == nil)
        for period in 0..<6_000 { take(history, at: Double(period) / 100, lateness: -5_000, clock: known) }
        #expect(abs(try #require(history.pairDistance(clock: known)) - 10_000) < 20)
        #expect(history.latest == -5_000)
        history.forget()
        #expect(history.pairDistance(clock: known) == nil && history.latest == nil)
    }

    /// A card whose frames left 460 µs later than its line had it, until that was known better.
    @Test func whereTheCardReallyStoodIsSeenTenSecondsLater() throws {
        let history = RenderHistory()
        let known = clock(at: 0, offset: 0, sigma: 0)
        take(history, periods: 0..<400, believedEarly: 460_000)
        #expect(try #require(history.pairDistance(clock: known)) < 5_000)
        take(history, periods: 400..<1_500, believedEarly: 0)
        let said = try #require(history.pairDistance(clock: known))
        #expect((440_000...480_000).contains(said), "\(said)")
        // Another run's frames are counted anew, so nothing is to be learnt of them here.
        history.beginRun()
        take(history, periods: 0..<600, believedEarly: 460_000)
        #expect(history.deviations(clock: known).suffix(50).allSatisfy { abs($0.mean) < 1_000 })
    }

    @Test func whatSpokeAgainstALineThatWasWrongIsNotCountedTwice() throws {
        let history = RenderHistory()
        let known = clock(at: 0, offset: 0, sigma: 0)
        take(history, periods: 0..<400, believedEarly: 460_000, objection: 450_000)
        #expect(history.deviations(clock: known).allSatisfy { abs($0.mean - 450_000) < 10 })
        take(history, periods: 400..<1_500, believedEarly: 0)
        let said = try #require(history.pairDistance(clock: known))
        #expect((440_000...480_000).contains(said), "\(said)")
    }

    @Test func aLineOfLaterIsNoMeasureOfACardsFirstTenths() throws {
        let history = RenderHistory()
        let known = clock(at: 0, offset: 0, sigma: 0)
        history.beginRun()
        take(history, periods: 0..<25, believedEarly: 300_000)
        take(history, periods: 25..<1_500, believedEarly: 0)
        #expect(try #require(history.pairDistance(clock: known)) < 5_000)
    }

    @Test func onlyTheLastMinuteOfSoundCounts() throws {
        let history = RenderHistory()
        let known = clock(at: 0, offset: 0, sigma: 0)
        for period in 0..<7_000 {
            take(history, at: Double(period) / 100, lateness: period < 900 ? 90_000 : 1_000, clock: known)
        }
        #expect(history.deviations(clock: known).count == RenderHistory.minute)
        #expect(try #require(history.pairDistance(clock: known)) < 2_100)
    }

    @Test func aBadBeginningIsAsBadAsItWas() throws {
        let history = RenderHistory()
        let known = clock(at: 0, offset: 0, sigma: 1_000)
        for period in 0..<6_000 {
            take(history, at: Double(period) / 100, lateness: period < 200 ? 80_000 : 0, clock: known)
        }
        #expect(abs(try #require(history.pairDistance(clock: known)) - 81_000) < 3_000)
    }

    @Test func whatIsNotKnownCounts() throws {
        let history = RenderHistory()
        let vague = clock(at: 0, offset: 0, sigma: 30_000)
        for period in 0..<1_000 {
            take(history, at: Double(period) / 100, lateness: 0, clock: vague, cardSigma: 40_000)
        }
        // 50 µs altogether: two of those are 182 µs apart.
        #expect(abs(try #require(history.pairDistance(clock: vague)) / 182_000 - 1) < 0.1)
    }

    @Test func aClockThatIsKnownBetterLaterShowsWhatWasWrong() {
        let history = RenderHistory()
        let early = clock(at: 0, offset: -80_000, sigma: 60_000)
        for period in 0..<500 { take(history, at: Double(period) / 100, lateness: 0, clock: early) }
        let later = clock(at: 20, offset: 0, sigma: 2_000, driftSigma: 1e-7)
        let seen = history.deviations(clock: later)
        #expect(seen.allSatisfy { abs($0.mean - 80_000) < 400 && $0.sigma < 4_000 })
        // Another clock's line says nothing about it.
        let other = clock(at: 20, offset: 0, sigma: 2_000, scale: 10)
        #expect(history.deviations(clock: other).allSatisfy { $0.mean == 0 && $0.sigma == 60_000 })
    }

    @Test func afterTwentySecondsARecordIsSettled() throws {
        let history = RenderHistory()
        for period in 0..<4_000 {
            let seconds = Double(period) / 100
            // A crystal that drifts by 1 ppm a minute, of which each line knows the tangent.
            let rate = seconds / 60 * 1e-6
            let line = clock(at: seconds, offset: 1e9 * rate * seconds / 2, sigma: 300, drift: rate)
            take(history, at: seconds, lateness: 0, clock: line)
        }
        let last = clock(at: 40, offset: 1e9 * 40 / 60 * 1e-6 * 20, sigma: 300, drift: 40 / 60 * 1e-6)
        let first = try #require(history.deviations(clock: last).first)
        // The last line, drawn on to the beginning, is off by 13 µs; that of 20 s by 3.3.
        #expect(abs(first.mean) < 4_000)
    }

    @Test(arguments: [1_000.0, 30_000]) func twoRoomsAreAsFarApartAsTheySay(sigma: Double) throws {
        var random = UInt64(88_172_645_463_325_252)
        func normal() -> Double {
            (0..<12).reduce(-6) { sum, _ in
                random ^= random << 13
                random ^= random >> 7
                random ^= random << 17
                return sum + Double(random >> 11) * 0x1p-53
            }
        }
        var ratios: [Double] = []
        for _ in 0..<20 {
            // Each room's clock is off by something that moves within a second and becomes smaller.
            var errors: [[Double]] = [[], []]
            let rooms = [RenderHistory(), RenderHistory()]
            for (room, history) in rooms.enumerated() {
                var error = sigma * normal()
                for step in 0..<600 {
                    let seconds = Double(step) / 10
                    let now = sigma / (1 + seconds / 10)
                    error = 0.9 * error + now * (1 - 0.81).squareRoot() * normal()
                    take(
                        history, at: seconds, lateness: 0, clock: clock(at: seconds, offset: error, sigma: now))
                    errors[room].append(error)
                }
            }
            let apart = zip(errors[0], errors[1]).map { abs($0 - $1) }.sorted()
            let truth = apart[apart.count * 99 / 100]
            let now = clock(at: 60, offset: 0, sigma: sigma / 7)
            for history in rooms { ratios.append(try #require(history.pairDistance(clock: now)) / truth) }
        }
        #expect(ratios.allSatisfy { (0.5...2).contains($0) }, "\(ratios.sorted())")
    }
}
