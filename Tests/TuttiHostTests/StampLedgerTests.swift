import Testing
import TuttiHost

@Suite struct StampLedgerTests {
    /// The stamping clock is 1000 s ahead of the raw clock here.
    private let ahead: Int64 = 1_000_000_000_000

    private let peer = SocketAddress.documentation

    private func ledger() -> StampLedger {
        StampLedger(transmitStamps: true, bridge: ClockBridge(measuredAt: 0, offset: -ahead, uncertainty: 50))
    }

    @Test func arrivalsAreConverted() {
        var ledger = ledger()
        #expect(ledger.arrival(KernelStamp(realtime: ahead + 700_000), from: peer, now: 750_000)?.raw == 700_000)
        #expect(ledger.statistics.discarded == 0)
    }

    @Test func stampsFromTheFutureOrFromBeforeTheQueueWasEmptyAreDropped() {
        var ledger = ledger()
        ledger.sawEmptyQueue(at: 100_000_000)
        #expect(ledger.arrival(KernelStamp(realtime: ahead + 100_100_000), from: peer, now: 100_050_000) == nil)
        #expect(ledger.arrival(KernelStamp(realtime: ahead + 90_000_000), from: peer, now: 100_050_000) == nil)
        #expect(ledger.arrival(KernelStamp(realtime: 0), from: peer, now: 100_050_000) == nil)
        #expect(ledger.statistics.discarded == 3)
    }

    @Test func afterAStepNothingIsBelievedUntilTheQueueIsEmpty() {
        var ledger = ledger()
        // The real-time clock was set back by 300 µs, which no bracket would show.
        ledger.observe(bridge: ClockBridge(measuredAt: 1_000_000, offset: -ahead + 300_000, uncertainty: 50))
        #expect(ledger.arrival(KernelStamp(realtime: ahead + 700_000), from: peer, now: 1_200_000) == nil)
        ledger.sawEmptyQueue(at: 1_300_000)
        #expect(ledger.arrival(KernelStamp(realtime: ahead + 1_100_000), from: peer, now: 1_450_000)?.raw == 1_400_000)
    }

    @Test func departuresMatchTheirSends() {
        var ledger = ledger()
        for send in 0..<3 { ledger.sent(to: peer, at: Int64(send) * 1_000_000) }
        let second = ledger.departure(number: 1, KernelStamp(realtime: ahead + 1_020_000), now: 3_000_000)
        #expect(second?.key == 1 && second?.stamp.raw == 1_020_000)
        // Twice, before its send, and never sent.
        #expect(ledger.departure(number: 1, KernelStamp(realtime: ahead + 1_020_000), now: 3_000_000) == nil)
        #expect(ledger.departure(number: 2, KernelStamp(realtime: ahead + 1_900_000), now: 3_000_000) == nil)
        #expect(ledger.departure(number: 77, KernelStamp(realtime: ahead + 1_900_000), now: 3_000_000) == nil)
        #expect(ledger.statistics.discarded == 3)
    }

    @Test func numberingBeginsAnewAfterARefusal() {
        var ledger = ledger()
        ledger.sent(to: peer, at: 1_000_000)
        ledger.restartNumbering(isRestarted: true)
        ledger.sent(to: peer, at: 2_000_000)
        // The first datagram's stamp comes late and looks like the second's.
        #expect(ledger.departure(number: 0, KernelStamp(realtime: ahead + 1_010_000), now: 3_000_000) == nil)
        let second = ledger.departure(number: 0, KernelStamp(realtime: ahead + 2_010_000), now: 3_000_000)
        #expect(second?.key == 1)
    }

    @Test func forgottenSendsStayForgotten() {
        var ledger = ledger()
        for send in 0..<300 { ledger.sent(to: peer, at: Int64(send)) }
        #expect(ledger.departure(number: 3, KernelStamp(realtime: ahead + 10_000), now: 20_000) == nil)
        #expect(ledger.departure(number: 299, KernelStamp(realtime: ahead + 10_000), now: 20_000)?.key == 299)
    }
}
