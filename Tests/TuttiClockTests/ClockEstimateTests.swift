import Testing
import TuttiClock
import TuttiCore

struct ClockEstimateTests {
    private let estimate = ClockEstimate(
        timescale: TimescaleID(rawValue: 9), referenceHost: HostTime(nanoseconds: 86_400_000_000_000_000),
        offset: 1_700_000_000_000_000_001, offsetFraction: 0.25, drift: 40e-6, offsetSigma: 300, driftSigma: 1e-8)

    @Test func keepsFractionsOfANanosecondAtLargeTimes() {
        let host = estimate.referenceHostNanoseconds + 1_000_000
        let anchor = host + estimate.offset
        #expect(abs(estimate.groupNanoseconds(atHostNanoseconds: host, fraction: 0.5, since: anchor) - 40.75002) < 1e-9)
        let group = anchor + 40
        #expect(abs(estimate.hostNanoseconds(ofGroupNanoseconds: group, fraction: 0.25, since: host)) < 1e-9)
    }

    @Test func thereAndBackIsTheSameInstant() throws {
        for span in [-3_600_000_000_000, -1, 0, 1, 250_000_000, 86_400_000_000_000] as [Int64] {
            let host = estimate.referenceHost.advanced(byNanoseconds: span)
            let back = try #require(estimate.hostTime(of: estimate.groupTime(at: host)))
            #expect(abs(back.nanoseconds(since: host)) <= 1)
        }
    }

    @Test func otherTimescalesHaveNoHostTime() {
        #expect(estimate.hostTime(of: GroupTime(nanoseconds: 0, timescale: TimescaleID(rawValue: 8))) == nil)
    }

    @Test func extremesClamp() {
        #expect(estimate.groupTime(at: HostTime(nanoseconds: .max)).nanoseconds <= GroupTime.maximumNanoseconds)
        _ = estimate.groupTime(at: HostTime(nanoseconds: .min))
        #expect(estimate.hostTime(of: GroupTime(nanoseconds: .min, timescale: estimate.timescale)) != nil)
    }

    @Test func holdoverGrowsByTheDriftsUncertainty() {
        let later = estimate.referenceHostNanoseconds + 60_000_000_000
        #expect(abs(estimate.sigma(atHostNanoseconds: later) - (300.0 * 300 + 600 * 600).squareRoot()) < 1e-6)
    }

    @Test func slotGivesWhatWasPublishedLast() {
        let slot = ClockEstimateSlot()
        #expect(slot.read() == nil)
        for number in 1...9 {
            var next = estimate
            next.offset = Int64(number)
            slot.publish(next)
            #expect(slot.read() == next)
        }
        slot.clear()
        #expect(slot.read() == nil)
    }

    /// Every field of a published estimate carries the same number, so a torn read would show.
    @Test func readersNeverSeeATornEstimate() async {
        let slot = ClockEstimateSlot()
        let count = 200_000
        await withTaskGroup(of: Int.self) { group in
            group.addTask {
                for number in 1...count {
                    let value = Double(number)
                    slot.publish(
                        ClockEstimate(
                            timescale: TimescaleID(rawValue: UInt64(number)),
                            referenceHost: HostTime(nanoseconds: Int64(number)), offset: Int64(number),
                            offsetFraction: value, drift: value, offsetSigma: value, driftSigma: value))
                }
                return 0
            }
            group.addTask {
                var torn = 0
                var last: Int64 = 0
                for _ in 0..<count {
                    guard let read = slot.read() else { continue }
                    let number = read.offset
                    let value = Double(number)
                    let isWhole =
                        read.timescaleRawValue == UInt64(number) && read.referenceHostNanoseconds == number
                        && read.offsetFraction == value && read.drift == value && read.offsetSigma == value
                        && read.driftSigma == value && number >= last
                    if !isWhole { torn += 1 }
                    last = number
                }
                return torn
            }
            for await torn in group { #expect(torn == 0) }
        }
        #expect(slot.read()?.offset == Int64(count))
    }
}
