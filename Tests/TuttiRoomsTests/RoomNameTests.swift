import Testing
import TuttiRooms

/// What a room may be called.
@Suite struct RoomNameTests {
    @Test(
        "a name is 1 to 63 bytes of text", arguments: ["k", "Küche", "living room", String(repeating: "x", count: 63)])
    func names(_ name: String) throws { try RoomName.check(name) }

    @Test(
        "what is none is refused",
        arguments: [
            "", " ", " kitchen", "kitchen ", "a@b", "a\nb", "a\tb", "a\0b", "\u{202E}kitchen",
            String(repeating: "x", count: 64), String(repeating: "ü", count: 32),
        ])
    func others(_ name: String) { #expect(throws: SenderError.self) { try RoomName.check(name) } }
}
