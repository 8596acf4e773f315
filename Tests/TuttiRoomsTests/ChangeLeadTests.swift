import Testing
import TuttiRooms
import TuttiSchema
import TuttiWire

@Suite struct ChangeLeadTests {
    private func lead(_ change: (inout SpeakerStatus) -> Void) -> Double {
        var status = SpeakerStatus(state: .playing)
        change(&status)
        return Double(ChangeLead.nanoseconds(for: status)) / 1e6
    }

    @Test func aRoomHasTheNoticeThatItAsksForAndWhatItsLinkTakes() {
        #expect(lead { $0.leadMs = 45 } == 60)
        #expect(lead { ($0.leadMs, $0.rttUs) = (45, 200) } == 64)
        #expect(lead { ($0.leadMs, $0.rttUs) = (45, 2_000) } == 100)
        #expect(lead { ($0.leadMs, $0.rttUs) = (145, 200) } == 164)
    }

    @Test func aRoomThatIsHeardLateHearsOfChangesEarlierByThat() {
        #expect(lead { ($0.leadMs, $0.outputDelayMs) = (2_045, 2_000) } == 2_060)
    }

    @Test func whatIsNotKnownOrCannotBeIsHeldToBounds() {
        #expect(lead { _ in } == 65)
        #expect(lead { ($0.leadMs, $0.rttUs) = (-5, -1) } == 50)
        #expect(lead { ($0.leadMs, $0.rttUs) = (45, 1e9) } == 260)
        #expect(lead { $0.leadMs = 5_000 } == 400)
        #expect(lead { ($0.leadMs, $0.outputDelayMs) = (9_000, 9_000) } == 5_400)
        #expect(lead { ($0.leadMs, $0.outputDelayMs) = (45, -2_000) } == 60)
    }
}
