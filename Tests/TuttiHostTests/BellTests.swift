import Glibc
import Testing
import TuttiHost

@Suite struct BellTests {
    /// Reads what has been rung; 0 when nothing has.
    private func calls(_ end: Int32) -> Int {
        var bytes = [UInt8](repeating: 0, count: 256)
        return max(0, read(end, &bytes, bytes.count))
    }

    @Test func callsAreOneUntilTheyAreAnswered() throws {
        let bell = try Bell()
        let end = bell.takeReadingEnd()
        defer { close(end) }
        #expect(calls(end) == 0)
        for _ in 0..<5 { bell.ring() }
        #expect(calls(end) == 1)
        bell.ring()
        #expect(calls(end) == 0, "nobody has answered the first call")
        bell.answer()
        #expect(calls(end) == 0)
        bell.ring()
        #expect(calls(end) == 1)
    }

    @Test func whoRingsNeverWaits() throws {
        let bell = try Bell()
        let end = bell.takeReadingEnd()
        defer { close(end) }
        // More than a pipe holds.
        for _ in 0..<100_000 {
            bell.ring()
            bell.answer()
        }
        #expect(calls(end) > 0)
    }
}
