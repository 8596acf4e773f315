import Testing
import TuttiClock
import TuttiCore

/// The reference line, told what rooms' cards would tell it. Times in seconds of group time.
@Suite struct ReferenceLineTests {
    private static let timescale = TimescaleID(rawValue: 9)

    private static func time(_ seconds: Double) -> GroupTime {
        GroupTime(nanoseconds: 86_400_000_000_000 + Int64(seconds * 1e9), timescale: timescale)
    }

    /// A card that plays `nanoseconds` ahead of group time at second 0, at its own rate.
    private struct Card {
        var ppm: Double
        var nanoseconds = 0.0

        func report(at seconds: Double) -> ReferenceFit {
            ReferenceFit(
                group: ReferenceLineTests.time(seconds), offset: Int64(nanoseconds + ppm * seconds * 1e3),
                slope: ppm * 1e-6)
        }

        func distance(of line: ReferenceLine, at seconds: Double) -> Double {
            let group = ReferenceLineTests.time(seconds)
            return Double(line.playbackTime(at: group).nanoseconds(since: group)) - nanoseconds - ppm * seconds * 1e3
        }
    }

    /// Lets a card lead for a while: four reports a second.
    private func lead(
        _ line: inout ReferenceLine, by card: Card, from start: Double, to end: Double,
        check: (ReferenceFit, ReferenceFit?, Double, ReferenceLine) -> Void = { _, _, _, _ in }
    ) {
        var second = start
        while second < end {
            let before = line.fit
            if let fit = line.take(card.report(at: second), now: Self.time(second), isSounding: true) {
                check(fit, before, second, line)
            }
            second += 0.25
        }
    }

    @Test func itBeginsAsGroupTimeItself() {
        var line = ReferenceLine()
        #expect(line.isIdentity && line.playbackTime(at: Self.time(3)) == Self.time(3))
        #expect(line.take(Card(ppm: 80).report(at: 0), now: Self.time(0), isSounding: true) == nil, "nobody leads")
        #expect(line.advance(now: Self.time(1), isSounding: true) == nil)
        #expect(line.isIdentity && line.refusedReports == 1)
    }

    @Test func beforeAnythingSoundsItTakesTheCardsRateAtOnce() throws {
        var line = ReferenceLine()
        line.setLed(.card)
        let taken = line.take(Card(ppm: 80).report(at: 0), now: Self.time(0), isSounding: false)
        let fit = try #require(taken)
        #expect(abs(fit.slope - 80e-6) < 1e-12)
        #expect(fit.offset == 0, "and does not jump")
    }

    @Test("every stretch begins where the one before stands, and slopes change gently")
    func continuity() {
        var line = ReferenceLine()
        line.setLed(.card)
        var rate = 0.0
        var worst = 0.0
        lead(&line, by: Card(ppm: 80, nanoseconds: 9_000), from: 0, to: 60) { fit, before, second, line in
            let stands = before?.offset(at: Self.time(second)) ?? 0
            worst = max(worst, abs(Double(fit.offset) - stands))
            #expect(abs(line.rate - rate) <= ReferenceLine.slopeChange * 0.25 + 1e-12)
            #expect(abs(fit.slope - line.rate) <= ReferenceLine.largestCorrection + 1e-12)
            rate = line.rate
        }
        #expect(worst <= 0.51, "\(worst) ns")
    }

    @Test func itComesToTheCardAndStaysThere() {
        var line = ReferenceLine()
        line.setLed(.card)
        let card = Card(ppm: 3, nanoseconds: 10_400)
        lead(&line, by: card, from: 0, to: 12)
        #expect(abs(card.distance(of: line, at: 12)) < 50)
        #expect(abs(line.rate - 3e-6) < 1e-9)
        lead(&line, by: card, from: 12, to: 30)
        #expect(abs(card.distance(of: line, at: 30)) < 5)
    }

    @Test("when nobody reports the line goes on at the card's last rate, without the correction")
    func holdover() throws {
        var line = ReferenceLine()
        line.setLed(.card)
        let card = Card(ppm: -35)
        lead(&line, by: card, from: 0, to: 40)
        let late = Card(ppm: -35, nanoseconds: 30_000)
        _ = line.take(late.report(at: 40), now: Self.time(40), isSounding: true)
        #expect(line.advance(now: Self.time(40.3), isSounding: true) == nil)
        let advanced = line.advance(now: Self.time(40.7), isSounding: true)
        let fit = try #require(advanced)
        #expect(abs(fit.slope + 35e-6) < 1e-8)
        let place = line.playbackTime(at: Self.time(40.7))
        for second in 41..<400 {
            #expect(line.advance(now: Self.time(Double(second)), isSounding: true) == nil)
        }
        let expected = place.advanced(byNanoseconds: Int64(359.3e9 * (1 - 35e-6)))
        #expect(abs(line.playbackTime(at: Self.time(400)).nanoseconds(since: expected)) < 4_000)
    }

    @Test("another room takes over where the line stands")
    func handover() {
        var line = ReferenceLine()
        line.setLed(.card)
        lead(&line, by: Card(ppm: 80), from: 0, to: 40)
        let stands = line.playbackTime(at: Self.time(40)).nanoseconds(since: Self.time(40))
        line.setLed(.card)
        // It has been brought to the line; what is left is less than half a frame.
        var worst = 0.0
        let next = Card(ppm: -60, nanoseconds: Double(stands) + 60 * 40e3 - 8_000)
        var rate = line.rate
        var second = 40.0
        while second < 80 {
            // Until the line has its rate a room reports where the line is, not where its card would be.
            let isAligned = abs(line.rate + 60e-6) < 2e-6
            let now = Self.time(second)
            let own = ReferenceFit(
                group: now, offset: line.playbackTime(at: now).nanoseconds(since: now), slope: -60e-6)
            let before = line.playbackTime(at: now)
            _ = line.take(isAligned ? next.report(at: second) : own, now: now, isSounding: true)
            worst = max(worst, Double(abs(line.playbackTime(at: now).nanoseconds(since: before))))
            #expect(abs(line.rate - rate) <= ReferenceLine.slopeChange * 0.25 + 1e-12)
            rate = line.rate
            second += 0.25
        }
        #expect(worst <= 1)
        #expect(abs(line.rate + 60e-6) < 1e-9)
    }

    @Test("with no reference room the slope goes back to nothing, and what it made stays")
    func release() {
        var line = ReferenceLine()
        line.setLed(.card)
        lead(&line, by: Card(ppm: 40), from: 0, to: 30)
        line.setLed(nil)
        var second = 30.0
        var slope = line.fit?.slope ?? 0
        while second < 45 {
            if let fit = line.advance(now: Self.time(second), isSounding: true) {
                #expect(abs(fit.slope - slope) <= ReferenceLine.slopeChange * 0.3 + 1e-7)
                slope = fit.slope
            }
            second += 0.1
        }
        #expect(line.fit?.slope == 0)
        let offset = line.playbackTime(at: Self.time(50)).nanoseconds(since: Self.time(50))
        #expect(offset > 600_000)
        #expect(line.playbackTime(at: Self.time(5_000)).nanoseconds(since: Self.time(5_000)) == offset)
        #expect(line.advance(now: Self.time(5_000), isSounding: true) == nil)
    }

    @Test("absurd reports count for nothing", arguments: [0, 1, 2, 3, 4])
    func hostile(_ kind: Int) {
        var line = ReferenceLine()
        line.setLed(.card)
        let card = Card(ppm: 10)
        lead(&line, by: card, from: 0, to: 20)
        let before = line
        let (limit, now) = (ReferenceFit.maximumOffset, Self.time(20))
        let report =
            switch kind {
            case 0: ReferenceFit(group: now, offset: .max, slope: 1e-6)
            case 1: ReferenceFit(group: now, offset: -limit, slope: .infinity)
            case 2: ReferenceFit(group: Self.time(-40_000), offset: 0, slope: 0)
            case 3: ReferenceFit(group: GroupTime(nanoseconds: .max, timescale: Self.timescale), offset: 0, slope: -1)
            default:
                ReferenceFit(group: GroupTime(nanoseconds: 0, timescale: TimescaleID(rawValue: 1)), offset: 0, slope: 0)
            }
        #expect(line.take(report, now: now, isSounding: true) == nil)
        #expect(line.fit == before.fit && line.rate == before.rate && line.refusedReports == 1)
    }

    @Test("a lying card moves the line by no more than its limits")
    func liar() {
        var line = ReferenceLine()
        line.setLed(.card)
        var second = 0.0
        while second < 100 {
            let now = Self.time(second)
            let place = line.playbackTime(at: now).nanoseconds(since: now)
            _ = line.take(
                ReferenceFit(group: now, offset: place + 9_000_000, slope: 1), now: now, isSounding: true)
            second += 0.25
        }
        #expect(abs(line.rate) <= 100 * ReferenceLine.slopeChange + 1e-9)
        #expect(abs(line.fit?.slope ?? 0) <= ReferenceFit.maximumSlope)
    }

    @Test func arithmeticIsTotal() {
        let edges: [Int64] = [.min, -(1 << 61), -1, 0, 1, 1 << 61, .max]
        for (group, offset) in edges.flatMap({ one in edges.map { (one, $0) } }) {
            for slope in [-Double.infinity, -1, 0, .nan, 1e-3, .infinity] {
                let fit = ReferenceFit(
                    group: GroupTime(nanoseconds: group, timescale: Self.timescale), offset: offset, slope: slope)
                #expect(abs(fit.slope) <= ReferenceFit.maximumSlope)
                for now in edges {
                    let time = GroupTime(nanoseconds: now, timescale: Self.timescale)
                    _ = fit.playbackTime(at: time)
                    let estimate = ClockEstimate(
                        timescale: Self.timescale, referenceHost: HostTime(nanoseconds: now), offset: offset,
                        drift: slope, offsetSigma: 1, driftSigma: 1)
                    _ = estimate.following(fit).groupTime(at: HostTime(nanoseconds: group))
                    var line = ReferenceLine(from: fit)
                    line.setLed(.card)
                    _ = line.take(fit, now: time, isSounding: false)
                    _ = line.take(fit, now: time, isSounding: true)
                    _ = line.advance(now: time, isSounding: true)
                }
            }
        }
    }

    @Test func aClockFollowsTheLineToAFractionOfANanosecond() {
        let estimate = ClockEstimate(
            timescale: Self.timescale, referenceHost: HostTime(nanoseconds: 1_000), offset: 5_000_000_000_000,
            offsetFraction: 0.25, drift: 20e-6, offsetSigma: 3, driftSigma: 0)
        let fit = ReferenceFit(
            group: GroupTime(nanoseconds: 5_000_000_500_000, timescale: Self.timescale), offset: 700, slope: 80e-6)
        let line = estimate.following(fit)
        for host in [0, 1_000, 4_000_000_000] as [Int64] {
            let group = estimate.groupNanoseconds(atHostNanoseconds: host, since: 5_000_000_500_000)
            let playback = line.groupNanoseconds(atHostNanoseconds: host, since: 5_000_000_500_000)
            #expect(abs(playback - (group * (1 + 80e-6) + 700)) < 1e-5)
        }
        #expect(line.offsetSigma == 3)
        #expect(estimate.following(nil) == estimate)
        let other = ReferenceFit(
            group: GroupTime(nanoseconds: 0, timescale: TimescaleID(rawValue: 1)), offset: 700, slope: 0)
        #expect(estimate.following(other) == estimate)
    }

    @Test func aSlotGivesWhatWasPublishedLast() {
        let slot = ReferenceSlot()
        #expect(slot.read() == nil)
        let fit = ReferenceFit(group: Self.time(1), offset: -12_345, slope: -60e-6)
        slot.publish(fit)
        #expect(slot.read() == fit)
        slot.clear()
        #expect(slot.read() == nil)
    }
}
