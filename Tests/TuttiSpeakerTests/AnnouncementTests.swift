import Foundation
import TestSupport
import Testing
import TuttiCore
import TuttiSchema
import TuttiSender
import TuttiSpeaker
import TuttiWire

@Suite(.serialized, .repeatedWhenDisturbed) struct AnnouncementTests {
    private static let low: Float = 0.199_526_23
    private static let ramp = 2_400

    /// The owner's gain at a frame when an overlay sounds from frame 0 up to `end`.
    private static func gain(at frame: Int, end: Int) -> Float {
        if frame < end { return 1 - (1 - low) * min(Float(frame + 1) / Float(ramp), 1) }
        return low + (1 - low) * min(Float(frame - end + 1) / Float(ramp), 1)
    }

    /// Checks that a room played the music, frame for frame, with `words` over it; gives the frame at which they began.
    private func check(_ recording: Recording, words: [Float]) throws -> Int {
        let music = AnnouncementHouse.music.samples
        let begin = try #require(recording.left.firstIndex { $0 != 0 })
        try #require(recording.left.count >= begin + music.count)
        let first = try #require(recording.difference(from: music, at: begin))
        var worst: Float = 0
        for frame in 0..<words.count + Self.ramp {
            let word = frame < words.count ? words[frame] : 0
            let expected = music[first - begin + frame] * Self.gain(at: frame, end: words.count) + word
            worst = max(worst, abs(recording.left[first + frame] - expected))
        }
        #expect(worst < 2e-5, "off by \(worst)")
        let back = first - begin + words.count + Self.ramp
        #expect(recording.difference(from: music, at: begin, after: back) == nil)
        #expect(recording.left.dropFirst(begin + music.count).allSatisfy { $0 == 0 })
        return first
    }

    @Test func musicGoesOnToTheFrameUnderAnAnnouncementThatAllRoomsHearAtOnce() async throws {
        let recordings = try await AnnouncementHouse.record(["kitchen", "bath"]) { house in
            try await house.whileMusicPlays(in: house.rooms) { player in
                async let said: Void = house.announce(in: house.rooms)
                var isTold = false
                for _ in 0..<300 where !isTold {
                    isTold = await player.status().rooms.allSatisfy { $0.announcing == true }
                    await OwnThread.pause(milliseconds: 10)
                }
                #expect(isTold, "the owner is told that an announcement is being made")
                try await said
                let rooms = await player.status().rooms
                #expect(rooms.allSatisfy { $0.stalls == 0 && $0.state == .playing })
            }
        }
        let words = AnnouncementHouse.words.samples
        let instants = try recordings.map { $0.instant(of: try check($0, words: words)) }
        // Without drift correction each room begins on the nearest frame.
        #expect(abs(instants[0] - instants[1]) < 40_000, "apart by \(instants[0] - instants[1]) ns")
    }

    @Test func anIdleRoomJustPlaysItOnTheClockOfTheOthers() async throws {
        let recordings = try await AnnouncementHouse.record(["kitchen", "attic"]) { house in
            try await house.whileMusicPlays(in: [house.rooms[0]]) { _ in
                try await house.announce(in: house.rooms)
            }
        }
        let words = AnnouncementHouse.words.samples
        let first = try check(recordings[0], words: words)
        let begin = try #require(recordings[1].left.firstIndex { $0 != 0 })
        #expect(recordings[1].left.dropFirst(begin).prefix(words.count).elementsEqual(words))
        #expect(recordings[1].left.dropFirst(begin + words.count).allSatisfy { $0 == 0 })
        let apart = recordings[0].instant(of: first) - recordings[1].instant(of: begin)
        #expect(abs(apart) < 60_000, "apart by \(apart) ns")
    }

    @Test func roomsThatNobodyPlaysInNeedNoOwner() async throws {
        let recordings = try await AnnouncementHouse.record(["kitchen", "attic"]) { house in
            try await house.announce(in: house.rooms)
        }
        let words = AnnouncementHouse.words.samples
        let begins = try recordings.map { try #require($0.left.firstIndex { $0 != 0 }) }
        for (recording, begin) in zip(recordings, begins) {
            #expect(recording.left.dropFirst(begin).prefix(words.count).elementsEqual(words))
        }
        let apart = recordings[0].instant(of: begins[0]) - recordings[1].instant(of: begins[1])
        #expect(abs(apart) < 40_000, "apart by \(apart) ns")
    }

    @Test func roomsOnDifferentClocksHearItAtOnceToo() async throws {
        let recordings = try await AnnouncementHouse.record(["kitchen", "bath"]) { house in
            try await house.whileMusicPlays(in: [house.rooms[0]]) { _ in
                try await house.whileMusicPlays(in: [house.rooms[1]]) { _ in
                    try await house.announce(in: house.rooms)
                }
            }
        }
        let words = AnnouncementHouse.words.samples
        let instants = try recordings.map { $0.instant(of: try check($0, words: words)) }
        #expect(abs(instants[0] - instants[1]) < 150_000, "apart by \(instants[0] - instants[1]) ns")
    }

    @Test func musicComesBackWhenAnAnnouncementDiesInTheMiddle() async throws {
        let words = KnownSound(seed: 9, frames: 3 * 48_000)
        let recordings = try await AnnouncementHouse.record(["kitchen"]) { house in
            try await house.whileMusicPlays(in: house.rooms) { _ in
                let overlay = try HandMadeOverlay(port: house.rooms[0].service.port, words)
                try overlay.begin(afterMilliseconds: 300)
                await OwnThread.pause(milliseconds: 600)
                overlay.die()
                // Its slot is free at once.
                let next = try #require(TestConnection(port: house.rooms[0].service.port))
                #expect(next.greet(sender: "next", policy: .default) != nil)
            }
        }
        let music = AnnouncementHouse.music.samples
        let recording = recordings[0]
        let begin = try #require(recording.left.firstIndex { $0 != 0 })
        try #require(recording.left.count >= begin + music.count)
        let first = try #require(recording.difference(from: music, at: begin))
        let last = try #require((begin..<begin + music.count).last { recording.left[$0] != music[$0 - begin] })
        // 8 ms of fade and the ramp, which reaches the music itself with its last frame.
        let spoken = last + 2 - Self.ramp - 384 - first
        try #require((4_800..<60_000).contains(spoken), "\(spoken) frames")
        let samples = words.samples
        let worst = (0..<spoken - 2).reduce(Float(0)) { worst, frame in
            let expected = music[first - begin + frame] * Self.gain(at: frame, end: .max) + samples[frame]
            return max(worst, abs(recording.left[first + frame] - expected))
        }
        #expect(worst < 2e-5, "off by \(worst)")
        #expect(recording.left.dropFirst(begin + music.count).allSatisfy { $0 == 0 })
    }

    @Test func overlaysThatTalkNonsenseAndTooManyOfThemHarmNobodyElse() async throws {
        try await withSpeaker { service, _ in
            let owner = try #require(TestConnection(port: service.port))
            _ = try #require(owner.greet(sender: "owner"))
            let overlays = try (0..<WireLimits.overlays).map { _ in try #require(TestConnection(port: service.port)) }
            for (number, overlay) in overlays.enumerated() {
                #expect(overlay.greet(sender: "guest \(number)", policy: .default)?.bufferSeconds == 30)
            }
            let third = try #require(TestConnection(port: service.port))
            third.send(.hello(Hello(role: .control, senderID: "third", senderName: "", policy: .default)))
            guard case .failure(let code, _) = third.receive() else {
                Issue.record("no failure came")
                return
            }
            #expect(code == ControlMessage.FailureCode.busy)
            overlays[0].send(.volume(VolumeCommand(percent: 1)))
            let answer = overlays[0].receive(where: { if case .unsupported = $0 { true } else { false } })
            #expect(answer == .unsupported(type: "volume"))
            overlays[1].send([0, 0, 0, 4, 0, 0x6E, 0x75, 0x6C, 0x6C])
            #expect(overlays[1].isClosed)
            owner.send(.ping)
            let status = try #require(owner.status())
            #expect(status.volume == 60 && !status.isAnnouncing)
            #expect(overlays[0].status() != nil)
        }
    }
}
