import Testing
import TuttiClock
import TuttiCore

/// Who asks a member all the time, and who does no more.
@Suite struct QuestionLogTests {
    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    @Test func whoAsksNoMoreIsNamedOnceAfterTwoSeconds() {
        var log = QuestionLog<Int>()
        log.note(1, now: at(0))
        log.note(2, now: at(500))
        #expect(log.isFollowing(1, now: at(1_999)) && !log.isFollowing(1, now: at(2_000)))
        #expect(!log.isFollowing(3, now: at(0)))
        var missing = log.takeMissing(of: [1, 2, 3], now: at(1_999))
        #expect(missing.isEmpty)
        missing = log.takeMissing(of: [1, 2, 3], now: at(2_000))
        #expect(missing == [1])
        log.note(1, now: at(2_100))
        missing = log.takeMissing(of: [1, 2, 3], now: at(2_499))
        #expect(missing.isEmpty)
        missing = log.takeMissing(of: [3, 2, 1], now: at(5_000))
        #expect(missing == [2, 1])
        missing = log.takeMissing(of: [1, 2, 3], now: at(9_000))
        #expect(missing.isEmpty)
    }

    @Test func whoIsNoMemberAnyMoreIsNotMissed() {
        var log = QuestionLog<Int>()
        log.note(1, now: at(0))
        log.note(2, now: at(0))
        log.keep([2])
        let missing = log.takeMissing(of: [1, 2], now: at(2_000))
        #expect(missing == [2])
    }
}
