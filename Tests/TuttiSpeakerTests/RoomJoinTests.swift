import Foundation
import TestSupport
import Testing
import TuttiCore
import TuttiHost
import TuttiSender
import TuttiSpeaker

@Suite("A room joins and leaves while others play", .serialized, .repeatedWhenDisturbed) struct RoomJoinTests {
    @Test("It is in step within a second, and the others do not notice")
    func join() async throws {
        let sound = KnownSound(seed: 21, frames: 6 * 48_000)
        var asked = Int64.max
        let recordings = try await AnnouncementHouse.record(["kitchen", "bath"]) { house in
            let player = try Player(house.configuration([sound], in: [house.rooms[0]]))
            async let outcome = player.run()
            await player.waitUntilPlaying()
            await OwnThread.pause(milliseconds: 1_000)
            asked = HostClock().now().nanoseconds
            try await player.addRoom(house.rooms[1].address)
            await OwnThread.pause(milliseconds: 2_500)
            try await player.removeRoom("bath")
            #expect(await outcome.exitCode == 0)
        }
        let (kitchen, bath) = (recordings[0], recordings[1])
        let begin = try #require(kitchen.left.firstIndex { $0 != 0 })
        #expect(kitchen.difference(from: sound.samples, at: begin) == nil)
        let first = try #require(bath.left.firstIndex { $0 != 0 })
        let delay = bath.instant(of: first) - Double(asked)
        #expect(delay < 1e9, "after \(delay / 1e6) ms")
        // What it plays then is what the other plays, at the same instant.
        let place = 9_600 + first
        let other = kitchen.left.count - begin
        let frame = Int(((bath.instant(of: place) - kitchen.instant(of: begin)) / 1e9 * 48_000).rounded())
        try #require(frame > 0 && frame + 4_800 < other)
        let offsets = (-20...20).filter { shift in
            (0..<4_800).allSatisfy { bath.left[place + $0] == sound.samples[frame + shift + $0] }
        }
        let shift = try #require(offsets.first)
        #expect(abs(shift) <= 1, "off by \(shift) frames")
        // It is let go in a fade.
        let last = try #require(bath.left.lastIndex { $0 != 0 })
        #expect(last - first < 3 * 48_000 && last - first > 48_000)
    }
}
