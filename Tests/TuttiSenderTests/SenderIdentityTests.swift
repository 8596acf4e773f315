import Testing
import TuttiRooms
import TuttiSender

@Suite struct SenderIdentityTests {
    @Test func theIdentityStays() throws {
        let scratch = try Scratch()
        let first = try SenderIdentity.load(from: scratch.path + "/state")
        #expect(try SenderIdentity.load(from: scratch.path + "/state") == first)
        #expect(!first.id.isEmpty && !first.name.isEmpty)
        #expect(throws: SenderError.self) { try SenderIdentity.load(from: "/proc/nowhere") }
    }
}
