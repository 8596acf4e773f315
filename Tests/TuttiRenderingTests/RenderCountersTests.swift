import Glibc
import Synchronization
import Testing
import TuttiHost
import TuttiPlayback
import TuttiRealtime
import TuttiRendering

@Suite struct RenderCountersTests {
    @Test func onlyWhatIsNewIsTold() throws {
        let bell = try Bell()
        let end = bell.takeReadingEnd()
        defer { close(end) }
        let counters = RenderCounters(bell: bell)
        /// Whether the report was told of.
        func isTold(_ change: (inout RenderReport) -> Void) -> Bool {
            var report = RenderReport()
            change(&report)
            counters.take(report)
            var byte: UInt8 = 0
            defer { bell.answer() }
            return read(end, &byte, 1) == 1
        }
        #expect(!isTold { _ in })
        #expect(isTold { $0.audibleDecks = 1 })
        #expect(!isTold { $0.audibleDecks = 1 })
        #expect(isTold { ($0.audibleDecks, $0.underrunFrames, $0.stalls) = (1, 480, 1) })
        let stalls = counters.stalls.load(ordering: .relaxed)
        #expect(stalls == 1)
        let isStarved = counters.isStarved.load(ordering: .relaxed)
        #expect(isStarved)
        #expect(!isTold { ($0.audibleDecks, $0.underrunFrames) = (1, 480) })
        #expect(isTold { $0.audibleDecks = 1 })
        let isStillStarved = counters.isStarved.load(ordering: .relaxed)
        #expect(!isStillStarved)
        #expect(isTold { ($0.audibleDecks, $0.soundingOverlays) = (1, 2) })
        let overlays = counters.soundingOverlays.load(ordering: .relaxed)
        #expect(overlays == 2)
        #expect(isTold { _ in })
    }
}
