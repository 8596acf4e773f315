import Foundation
import Logging
import TestSupport
import Testing
import Tutti
import TuttiHost
import TuttiSpeaker

@Suite("This host's own card beside a room", .repeatedWhenDisturbed) struct QueuePlayerRoomTests {
    @Test func bothHearTheSameAtOnce() async throws {
        for _ in 0..<3 {
            if let (here, there) = try await play() {
                let whole = PlayerStage.samples(1, seconds: 1.5)
                #expect(here.sound == whole && there.sound == whole)
                // Without drift correction each begins on the nearest frame.
                #expect(abs(here.began - there.began) < 60_000, "apart by \(here.began - there.began) ns")
                return
            }
        }
        Issue.record("the cards ran dry three times")
    }

    private typealias Recording = (sound: [Float], began: Double)

    /// What both recorded; nil when one of them ran dry.
    private func play() async throws -> (here: Recording, there: Recording)? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try #"{"id":"kitchen","volume":100}"#.write(
            toFile: folder + "/speaker.json", atomically: true, encoding: .utf8)
        let kitchen = try await SpeakerService(
            configuration: SpeakerConfiguration(
                name: "kitchen", device: PlayerStage.card(folder + "/kitchen.wav"), port: 0, bindAddress: "127.0.0.1",
                stateDirectory: folder, announces: false, correctsDrift: false),
            clock: HostClock(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let stage = try await PlayerStage(rooms: [.room("kitchen", host: "127.0.0.1", port: kitchen.port)])
        defer { try? FileManager.default.removeItem(atPath: stage.folder) }
        do {
            try await stage.player.insert(try stage.item(1, seconds: 1.5))
            try await stage.player.play()
            #expect(await Set(stage.player.rooms().map(\.name)) == ["here", "kitchen"])
            try await stage.ends()
        } catch {
            await stage.player.stop()
            await kitchen.shutdown()
            throw error
        }
        await stage.player.stop()
        await kitchen.shutdown()
        guard let here = try PlayerStage.recording(stage.folder + "/card.wav"),
            let there = try PlayerStage.recording(folder + "/kitchen.wav")
        else { return nil }
        return (here, there)
    }
}
