import Foundation
import TestSupport
import Testing
import TuttiCore
import TuttiSender
import TuttiSpeaker

@Suite(.serialized, .repeatedWhenDisturbed) struct CrossfadeTests {
    /// Frames of each of the pieces, and of what of them is heard together.
    private static let frames = 96_000
    private static let overlap = 48_000

    @Test func whatRoomsPlayIsThePiecesAndBetweenThemTheirMixture() async throws {
        let pieces = [7, 9, 11].map { KnownSound(seed: $0, frames: Self.frames) }
        let recordings = try await AnnouncementHouse.record(["kitchen", "bath"]) { house in
            var configuration = try house.configuration(pieces, in: house.rooms)
            configuration.crossfade = try MediaTime(crossfade: 1)
            #expect(try await Player(configuration).run().exitCode == 0)
        }
        var expected = pieces[0].samples.map(Double.init)
        for piece in pieces.dropFirst() {
            let start = expected.count - Self.overlap
            for (frame, sample) in piece.samples.prefix(Self.overlap).enumerated() {
                let angle = Double(frame) / Double(Self.overlap) * Double.pi / 2
                expected[start + frame] = expected[start + frame] * cos(angle) + Double(sample) * sin(angle)
            }
            expected += piece.samples.dropFirst(Self.overlap).map(Double.init)
        }
        var instants: [Double] = []
        for recording in recordings {
            let begin = try #require(recording.left.firstIndex { $0 != 0 })
            try #require(recording.left.count >= begin + expected.count)
            let worst = expected.indices.reduce(0) { worst, frame in
                max(worst, abs(Double(recording.left[begin + frame]) - expected[frame]))
            }
            #expect(worst < 0x1p-22, "off by \(worst)")
            #expect(recording.left.dropFirst(begin + expected.count).allSatisfy { $0 == 0 })
            instants.append(recording.instant(of: begin))
        }
        // Without drift correction each room begins on the nearest frame.
        #expect(abs(instants[0] - instants[1]) < 40_000, "apart by \(instants[0] - instants[1]) ns")
    }
}
