import Testing
import TuttiCodecs
import TuttiCore
import TuttiProduction
import TuttiRooms
import TuttiSchema
import TuttiSender

@Suite struct ParsingTests {
    @Test(arguments: [
        ("kitchen", RoomAddress(name: "kitchen")),
        ("kitchen@10.0.0.7", RoomAddress(name: "kitchen", host: "10.0.0.7")),
        ("Living room@host.local:80", RoomAddress(name: "Living room", host: "host.local", port: 80)),
        ("a@b@c:1", RoomAddress(name: "a@b", host: "c", port: 1)),
        ("x@[fe80::1%eth0]:7", RoomAddress(name: "x", host: "fe80::1%eth0", port: 7)),
        ("x@[::1]", RoomAddress(name: "x", host: "::1")), ("x@fe80::1", RoomAddress(name: "x", host: "fe80::1")),
        ("@10.0.0.7", RoomAddress(name: "", host: "10.0.0.7")),
    ])
    func roomsAreRead(text: String, room: RoomAddress) throws {
        #expect(try RoomAddress(parsing: text) == room)
        #expect(try RoomAddress(parsing: room.description) == room)
    }

    @Test(arguments: ["", "a@", "a@b:", "a@b:0", "a@b:65536", "a@b:x", "a@[::1]x", "a@:7700"])
    func whatIsNoRoomThrows(text: String) {
        #expect(throws: SenderError.badRoom(text)) { try RoomAddress(parsing: text) }
    }

    @Test(arguments: [
        ("0", 0), ("90", 90_000), ("1:30", 90_000), ("1:02:03.5", 3_723_500), ("0.25", 250), ("100:00", 6_000_000),
    ])
    func timesAreRead(text: String, milliseconds: Int64) {
        let time = MediaTime(frame: milliseconds, sampleRate: 1000)
        #expect(SeekTarget.time(text) == time)
        #expect(SeekTarget(parsing: text) == .to(time))
        #expect(SeekTarget(parsing: "+" + text) == .by(time))
        #expect(SeekTarget(parsing: "-" + text) == .by(-time))
    }

    @Test(arguments: ["", "x", "1:60", "1:2:3:4", "1.5:00", ":30", "1e3", "0x10", "nan", "--1", "99999999999999"])
    func whatIsNoTimeIsNil(text: String) {
        #expect(SeekTarget(parsing: text) == nil)
    }

    @Test func volumesAreRead() {
        #expect(VolumeChange(parsing: "40") == .to(40))
        #expect(VolumeChange(parsing: "+5") == .by(5))
        #expect(VolumeChange(parsing: "-5.5") == .by(-5.5))
        for text in ["", "x", "101", "nan", "inf", "0x20", "5 "] { #expect(VolumeChange(parsing: text) == nil) }
    }

    @Test func encodingOptionsKnowTheirLimits() throws {
        #expect(try EncodingOptions(codec: .opus, bitrate: 96_000).encoder.opusBitrate == 96_000)
        #expect(throws: SenderError.self) { try EncodingOptions(codec: .opus, bitrate: 32_000) }
        #expect(throws: SenderError.self) { try EncodingOptions(codec: .flac, bitrate: 96_000) }
        #expect(throws: SenderError.self) { try EncodingOptions(codec: .vorbis) }
    }
}
