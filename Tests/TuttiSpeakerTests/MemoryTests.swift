import Foundation
import TestSupport
import Testing
import TuttiSpeaker
import TuttiWire

/// What is on the disk when a speaker is killed.
@Suite(.serialized, .repeatedWhenDisturbed) struct MemoryTests {
    private struct Stored: Decodable {
        var volume: Double
        var outputDelayMilliseconds: Double
        var devices: [String: Rate]

        struct Rate: Decodable { var ppm: Double }
    }

    private func stored(_ configuration: SpeakerConfiguration) throws -> Stored {
        let file = URL(fileURLWithPath: configuration.stateDirectory + "/speaker.json")
        return try JSONDecoder().decode(Stored.self, from: Data(contentsOf: file))
    }

    /// Looks for as long as `seconds`.
    private func holds(within seconds: Double, _ condition: () throws -> Bool) async throws -> Bool {
        for _ in 0..<Int(seconds * 100) where try !condition() { try await Task.sleep(for: .milliseconds(10)) }
        return try condition()
    }

    @Test func settingsAreThereAtOnceAndTheLastOfManySoon() async throws {
        try await withSpeaker { service, configuration in
            let sender = try #require(TestConnection(port: service.port))
            _ = try #require(sender.greet())
            sender.send(.volume(VolumeCommand(percent: 37)))
            #expect(try await holds(within: 0.5) { try stored(configuration).volume == 37 })
            for percent in 40...70 { sender.send(.volume(VolumeCommand(percent: Double(percent)))) }
            sender.send(.outputDelay(milliseconds: 12.5))
            #expect(
                try await holds(within: 1.5) {
                    let stored = try stored(configuration)
                    return stored.volume == 70 && stored.outputDelayMilliseconds == 12.5
                })
        }
    }

    @Test func theCardsRateIsThereWhileASenderIs() async throws {
        try await withSpeaker({ $0.device = "null?ppm=40" }) { service, configuration in
            let sender = try #require(TestConnection(port: service.port))
            _ = try #require(sender.greet())
            #expect(try stored(configuration).devices.isEmpty)
            for _ in 0..<7 where try stored(configuration).devices.isEmpty {
                sender.send(.ping)
                try await Task.sleep(for: .seconds(1))
            }
            let rate = try #require(try stored(configuration).devices["null?ppm=40"])
            #expect(abs(rate.ppm - 40) < 5)
        }
    }
}
