import Foundation
import Testing
import Tutti
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiSpeaker

/// What the library says, in its own words and types.
@Suite struct WordsTests {
    /// Each of these tells people of a program's command or option, which an application does not have.
    @Test func errorsDoNotNameTheProgramsCommands() {
        let sender: [SenderError] = [
            .noSuchRoom("attic"), .noSuchEntry(7, count: 2), .noSuchGroup("downstairs"), .noSuchSchedule(3),
            .alreadyPlaying(socket: "/run/x"), .nothingPlaying, .notPlaying("a", playing: ["b"]),
            .severalPlaying(["a", "b"]),
            .nothingPlayable, .givenUp(failures: 3), .itemInQueue, .itemNotInQueue,
        ]
        let speaker: [SpeakerError] = [
            .portInUse(7_700), .stateUnwritable(path: "/x", reason: "full"), .device("hw:7: no such device"),
        ]
        let errors = sender.map { QueuePlayerError($0) } + speaker.map { QueuePlayerError($0) }
        for text in errors.map(\.description) {
            #expect(!text.contains("tutti") && !text.contains("--") && !text.contains("`"), "\(text)")
        }
    }

    @Test func aCardThatIsNotThereIsNamedWithoutAProgramsAdvice() async {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = QueuePlayer.Configuration()
        configuration.stateDirectory = folder
        await #expect {
            _ = try await QueuePlayer(outputs: [.local(device: "no-such-pcm")], configuration: configuration)
        } throws: { error in
            guard case .output(let text)? = error as? QueuePlayerError else { return false }
            return text.contains("no-such-pcm") && !text.contains("tutti")
        }
    }

    @Test func noticesAreTyped() {
        let unreachable = SenderError.roomUnreachable("attic", reason: "no answer")
        let missing = PlayerNotice.roomMissing(room: "attic", unreachable)
        guard case .roomMissing("attic", reason: "no answer")? = QueuePlayerEvent(missing),
            case .roomLate("attic")? = QueuePlayerEvent(.roomLate(room: "attic")),
            case .gaveUp(failures: 100)? = QueuePlayerEvent(.givenUp(failures: 100))
        else {
            Issue.record("a notice is told as another event")
            return
        }
        // What only a service's player tells.
        for notice in [PlayerNotice.standardInputLost, .roomsRanOut, .said("schedule 1")] {
            if let event = QueuePlayerEvent(notice) { Issue.record("\(event)") }
        }
    }

    @Test func roomChangesAreTyped() {
        #expect(RoomChange(.connected, message: "") == .connected)
        #expect(RoomChange(.state(.unreachable), message: "no answer") == .lost(reason: "no answer"))
        #expect(RoomChange(.state(.playing), message: "") == .state(.playing, problem: nil))
        #expect(RoomChange(.state(.lostDevice), message: "unplugged") == .state(.deviceLost, problem: "unplugged"))
        #expect(RoomChange(.narrow, message: "small") == .link(.smallPackets, detail: "small"))
        #expect(RoomChange(.told("xrun"), message: "ran dry") == .told("ran dry"))
        #expect("\(RoomChange(.state(.playing), message: ""))" == "playing")
        #expect("\(RoomChange(.lost, message: "gone"))" == "lost: gone")
    }
}
