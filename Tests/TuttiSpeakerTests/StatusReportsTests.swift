import Testing
import TuttiCore
import TuttiSpeaker
import TuttiWire

/// When a status is sent.
@Suite struct StatusReportsTests {
    private let playing = StatusDigest(state: .playing)

    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    @Test func aStatusThatSaysSomethingElseIsSentAtOnce() {
        var reports = StatusReports()
        #expect(reports.need(of: playing, for: .owner, now: at(0)) == .now)
        reports.told(.owner, playing, isCalm: true, now: at(0))
        #expect(reports.need(of: playing, for: .owner, now: at(1)) == .none)
        #expect(reports.need(of: StatusDigest(state: .playing, stalls: 1), for: .owner, now: at(1)) == .now)
        #expect(reports.need(of: playing, for: .overlay(0), now: at(1)) == .now)
        reports.expire(.owner)
        #expect(reports.need(of: playing, for: .owner, now: at(1)) == .now)
    }

    @Test func aCalmRoomReportsEverySecondAndOthersFourTimesAsOften() {
        var reports = StatusReports()
        reports.told(.owner, playing, isCalm: true, now: at(0))
        reports.told(.overlay(1), playing, isCalm: false, now: at(0))
        #expect(reports.isCalm(.owner) && !reports.isCalm(.overlay(1)) && !reports.isCalm(.overlay(0)))
        // One that has become calm says so at once.
        #expect(reports.need(of: playing, for: .overlay(1), now: at(200)) == .ifCalm)
        #expect(reports.need(of: playing, for: .overlay(1), now: at(250)) == .now)
        #expect(reports.need(of: playing, for: .owner, now: at(990)) == .none)
        #expect(reports.need(of: playing, for: .owner, now: at(1_000)) == .now)
    }

    @Test func manyPacketsInARowHaveOneStatusNowAndOneSoon() {
        var reports = StatusReports()
        var isPostponed = reports.postpone(for: .owner, now: at(0))
        #expect(!isPostponed)
        reports.told(.owner, playing, isCalm: true, now: at(0))
        isPostponed = reports.postpone(for: .owner, now: at(19))
        #expect(isPostponed && reports.need(of: playing, for: .owner, now: at(19)) == .now)
        isPostponed = reports.postpone(for: .owner, now: at(20))
        #expect(!isPostponed)
    }

    @Test func aStartIsAwaitedUntilTheSenderKnowsOfIt() {
        var reports = StatusReports()
        #expect(!reports.isStartAwaited(in: []) && reports.isStartAwaited(in: [.owner]))
        reports.told(.owner, playing, isCalm: true, now: at(0))
        #expect(!reports.isStartAwaited(in: [.owner]) && reports.isStartAwaited(in: [.owner, .overlay(0)]))
    }

    @Test func damageIsToldOnceInAStream() {
        var reports = StatusReports()
        let news = [0, 1, 2, 0, 0, 3].map { reports.isDamageNew(count: $0) }
        #expect(news == [false, true, false, false, false, true])
    }

    @Test func whatTakesLongToFindIsKeptForThreeSeconds() {
        var reports = StatusReports()
        var found: [Double?] = [
            reports.distance(now: at(0)) { nil }, reports.distance(now: at(0)) { 1 },
            reports.distance(now: at(2_999)) { 2 }, reports.distance(now: at(3_000)) { 3 },
        ]
        reports.forgetDistance()
        found.append(reports.distance(now: at(3_000)) { 4 })
        #expect(found == [nil, 1, 1, 3, 4])
    }
}
