import Foundation
import Synchronization
import TestSupport
import Testing
import Tutti
import TuttiCore
import TuttiRooms
import TuttiSender
import TuttiSpeaker

/// Rooms as a renderer's route: with whole speakers whose cards are files.
@Suite(.serialized, .repeatedWhenDisturbed) struct RoomRouteTests {
    private static let rate = 48_000

    private static func time(_ frame: Int) -> MediaTime { MediaTime(frame: Int64(frame), sampleRate: rate) }

    /// Frames of a 16-bit sound as a buffer at their own place.
    private static func buffer(_ integers: [Int16], _ frames: Range<Int>) throws -> SampleBuffer {
        let format = try #require(AudioFormat(codec: .pcm, sampleRate: rate, channelCount: 2, bitDepth: 16))
        let data = integers[frames].flatMap { sample -> [UInt8] in
            let bits = UInt16(bitPattern: sample)
            let bytes = [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
            return bytes + bytes
        }
        return try #require(
            SampleBuffer(
                format: format, presentationTime: time(frames.lowerBound), frameCount: frames.count, data: data))
    }

    /// Buffers of half a second.
    private static func buffers(_ integers: [Int16], from start: Int = 0) throws -> [SampleBuffer] {
        try stride(from: start, to: integers.count, by: rate / 2).map {
            try buffer(integers, $0..<min($0 + rate / 2, integers.count))
        }
    }

    private static func route(_ rooms: [RecordedRoom]) -> PlaybackRoute {
        .rooms(
            rooms.map { RoomEndpoint(name: $0.address.name, host: $0.address.host, port: $0.address.port) },
            name: "test", speaksInTheClear: true)
    }

    /// Waits until the stream stands at `seconds`.
    private static func wait(for seconds: Double, _ synchronizer: RenderSynchronizer) async {
        while synchronizer.currentTime.seconds < seconds { await OwnThread.pause(milliseconds: 5) }
    }

    @Test func whatFillsAGapIsHeardBeforeTheGapIsOver() async throws {
        let sound = KnownSound(seed: 12, frames: 9 * Self.rate)
        let recordings = try await AnnouncementHouse.record(["kitchen"]) { house in
            let renderer = AudioRenderer(route: Self.route(house.rooms))
            let synchronizer = RenderSynchronizer()
            try synchronizer.addRenderer(renderer)
            let buffers = try Self.buffers(sound.integers)
            for buffer in buffers[..<4] + buffers[14...] { try renderer.enqueue(buffer) }
            renderer.finishMediaData()
            try synchronizer.setRate(1)
            await Self.wait(for: 2.7, synchronizer)
            for buffer in buffers[4..<14] { try renderer.enqueue(buffer) }
            await Self.wait(for: 9.4, synchronizer)
            #expect(synchronizer.removeRenderer(renderer))
        }
        let recording = try #require(recordings.first)
        let begin = try #require(recording.left.firstIndex { $0 != 0 })
        try #require(recording.left.count > begin + sound.integers.count)
        let silence = begin + 2 * Self.rate + Self.rate / 10..<begin + 2 * Self.rate + Self.rate / 2
        #expect(recording.left[silence].allSatisfy { $0 == 0 })
        // Two starts may be a frame apart.
        let isWhole = (-1...1).contains { shift in
            recording.difference(from: sound.samples, at: begin + shift, after: 4 * Self.rate) == nil
        }
        #expect(isWhole)
    }

    @Test func whatIsEnqueuedInAnyOrderIsHeardBitForBitInAllRooms() async throws {
        let sound = KnownSound(seed: 11, frames: 3 * Self.rate + 1_001)
        let recordings = try await AnnouncementHouse.record(["kitchen", "bath"]) { house in
            let renderer = AudioRenderer(route: Self.route(house.rooms))
            let synchronizer = RenderSynchronizer()
            try synchronizer.addRenderer(renderer)
            var random = SplitMix64(seed: 11)
            for buffer in try Self.buffers(sound.integers).shuffled(using: &random) { try renderer.enqueue(buffer) }
            renderer.finishMediaData()
            try synchronizer.setRate(1)
            await Self.wait(for: 3.4, synchronizer)
            #expect(synchronizer.removeRenderer(renderer))
        }
        let begins = try recordings.map { try #require($0.left.firstIndex { $0 != 0 }) }
        for (recording, begin) in zip(recordings, begins) {
            try #require(recording.left.count >= begin + sound.integers.count)
            #expect(recording.difference(from: sound.samples, at: begin) == nil)
            #expect(recording.left.dropFirst(begin + sound.integers.count).allSatisfy { $0 == 0 })
        }
        let apart = recordings[0].instant(of: begins[0]) - recordings[1].instant(of: begins[1])
        #expect(abs(apart) < 40_000, "apart by \(apart) ns")
    }

    @Test func afterAFlushInTimeExactlyTheNewIsHeardAndALateOneFails() async throws {
        let old = KnownSound(seed: 13, frames: 5 * Self.rate)
        let place = 3 * Self.rate + 777
        var integers = old.integers
        integers.replaceSubrange(place..., with: KnownSound(seed: 17, frames: 5 * Self.rate - place).integers)
        let edited = integers
        let recordings = try await AnnouncementHouse.record(["kitchen"]) { house in
            let renderer = AudioRenderer(route: Self.route(house.rooms))
            let synchronizer = RenderSynchronizer()
            try synchronizer.addRenderer(renderer)
            for buffer in try Self.buffers(old.integers) { try renderer.enqueue(buffer) }
            try synchronizer.setRate(1)
            await Self.wait(for: 1, synchronizer)
            #expect(await renderer.flush(fromSourceTime: synchronizer.currentTime + Self.time(4_800)) == false)
            #expect(await renderer.flush(fromSourceTime: Self.time(place)))
            for buffer in try Self.buffers(edited, from: place) { try renderer.enqueue(buffer) }
            renderer.finishMediaData()
            await Self.wait(for: 5.4, synchronizer)
            synchronizer.removeRenderer(renderer)
        }
        let recording = recordings[0]
        let begin = try #require(recording.left.firstIndex { $0 != 0 })
        let expected = edited.map { Float($0) / 32_768 }
        try #require(recording.left.count >= begin + expected.count)
        // The seam fades from one to the other for 8 ms.
        let wrong = expected.indices.filter { recording.left[begin + $0] != expected[$0] }
        #expect(
            wrong.allSatisfy { (place - 480..<place + 480).contains($0) }, "\(wrong.prefix(3)) … \(wrong.suffix(3))")
        #expect(recording.left.dropFirst(begin + expected.count).allSatisfy { $0 == 0 })
    }

    /// A sound that tells of each frame which one it is: it rises by a step each sixteen frames.
    private static let rise = (0..<8 * rate).map { Int16(1_000 + $0 / 16) }

    /// What is heard at an instant, and the place in `rise` that it is.
    private struct Track {
        let recording: Recording

        func level(at instant: Double) -> Float {
            let frame = Int(((instant - Double(recording.began)) / 1e9 * 48_000).rounded())
            return recording.left.indices.contains(frame) ? recording.left[frame] : 0
        }

        /// When place 0 was or would have been heard, by a frame in the middle of what was.
        func origin() throws -> Double {
            let first = try #require(recording.left.firstIndex { $0 > 0.03 })
            let last = try #require(recording.left.lastIndex { $0 > 0.03 })
            let frame = (first + last) / 2
            let place = (Double(recording.left[frame]) * 32_768 - 1_000 + 0.5) * 16
            return recording.instant(of: frame) - place / 48_000 * 1e9
        }
    }

    @Test func aCardAndARoomOnOneTimelineAreInStep() async throws {
        let recordings = try await AnnouncementHouse.record(["kitchen"], cards: ["desk"]) { house in
            let session = AudioSession(device: house.card("desk"))
            let renderers = [
                AudioRenderer(route: .local(session: session)), AudioRenderer(route: Self.route(house.rooms)),
            ]
            let synchronizer = RenderSynchronizer()
            for renderer in renderers {
                try synchronizer.addRenderer(renderer)
                for buffer in try Self.buffers(Array(Self.rise.prefix(3 * Self.rate))) { try renderer.enqueue(buffer) }
                renderer.finishMediaData()
            }
            try synchronizer.setRate(1)
            await Self.wait(for: 3.3, synchronizer)
            for renderer in renderers { synchronizer.removeRenderer(renderer) }
        }
        let origins = try recordings.map { try Track(recording: $0).origin() }
        #expect(abs(origins[0] - origins[1]) < 1_000_000, "apart by \(origins[0] - origins[1]) ns")
    }

    @Test func theWayToRoomsAndBackHasNoGap() async throws {
        let recordings = try await AnnouncementHouse.record(["kitchen"], cards: ["before", "after"]) { house in
            func local(_ name: String) -> PlaybackRoute {
                .local(session: AudioSession(device: house.card(name)), depth: .seconds(10))
            }
            let renderer = AudioRenderer(route: local("before"))
            let synchronizer = RenderSynchronizer()
            try synchronizer.addRenderer(renderer)
            for buffer in try Self.buffers(Self.rise) { try renderer.enqueue(buffer) }
            renderer.finishMediaData()
            try synchronizer.setRate(1)
            await Self.wait(for: 0.5, synchronizer)
            try renderer.setRoute(Self.route(house.rooms))
            await Self.wait(for: 5, synchronizer)
            try renderer.setRoute(local("after"))
            await Self.wait(for: 7.5, synchronizer)
            synchronizer.removeRenderer(renderer)
        }
        let tracks = [recordings[1], recordings[0], recordings[2]].map(Track.init)
        for track in tracks {
            let played = track.recording.left.count { $0 > 0.03 }
            #expect(played > Self.rate, "\(played) frames")
        }
        let origin = try tracks[1].origin()
        var worst: Float = 0
        for step in 100..<7_300 {
            let instant = origin + Double(step) * 1e6
            let heard = tracks.reduce(Float(0)) { $0 + $1.level(at: instant) }
            let expected = Float(Self.rise[step * 48]) / 32_768
            worst = max(worst, abs(heard - expected) / expected)
        }
        #expect(worst < 0.05, "off by \(worst)")
    }

    /// A tone at 1, and from some place on at 2: that is said, enqueued again, and heard alike.
    @Test func anotherRateIsHeardAlikeInAllRooms() async throws {
        let tone = (0..<5 * Self.rate).map { Int16(16_000 * sin(2 * .pi * 440 * Double($0) / Double(Self.rate))) }
        let restart = Mutex(0)
        let recordings = try await AnnouncementHouse.record(["kitchen", "bath"]) { house in
            let renderer = AudioRenderer(route: Self.route(house.rooms))
            let synchronizer = RenderSynchronizer()
            try synchronizer.addRenderer(renderer)
            var events = renderer.events.makeAsyncIterator()
            for buffer in try Self.buffers(tone) { try renderer.enqueue(buffer) }
            try synchronizer.setRate(1)
            await Self.wait(for: 1, synchronizer)
            try synchronizer.setRate(2)
            while let event = await events.next() {
                guard case .flushedAutomatically(let time, .rateChanged) = event else { continue }
                restart.withLock { $0 = Int(time.frame(at: Self.rate)) }
                break
            }
            for buffer in try Self.buffers(tone, from: restart.withLock { $0 }) { try renderer.enqueue(buffer) }
            renderer.finishMediaData()
            await Self.wait(for: 5.6, synchronizer)
            synchronizer.removeRenderer(renderer)
        }
        let place = restart.withLock { $0 }
        #expect((Self.rate...4 * Self.rate).contains(place))
        let length = place + (5 * Self.rate - place) / 2
        let spans = try recordings.map { recording in
            let first = try #require(recording.left.firstIndex { abs($0) > 0.01 })
            let last = try #require(recording.left.lastIndex { abs($0) > 0.01 })
            return (first, last)
        }
        for (first, last) in spans { #expect(abs(last - first - length) < 960, "\(last - first) of \(length) frames") }
        let tails = zip(recordings, spans).map { Array($0.left.prefix($1.1).suffix(48_000)) }
        #expect(tails[0] == tails[1])
        let crossings = tails[0].indices.dropFirst().count { tails[0][$0 - 1] < 0 && tails[0][$0] >= 0 }
        #expect(abs(crossings - 440) <= 1, "\(crossings) Hz")
    }

    @Test func anHourAtOnceIsBoundedInMemory() async throws {
        let nowhere = RoomEndpoint(name: "", host: "127.0.0.1", port: 1)
        let renderer = AudioRenderer(route: .rooms([nowhere], speaksInTheClear: true))
        let synchronizer = RenderSynchronizer()
        try synchronizer.addRenderer(renderer)
        let before = try Self.residentBytes()
        var refusals = 0
        for second in 0..<3_600 {
            let buffer = try #require(
                SampleBuffer(
                    interleaved: [Float](repeating: Float(second) / 7_200, count: 2 * Self.rate), channelCount: 2,
                    sampleRate: Self.rate, presentationTime: Self.time(second * Self.rate)))
            if second == 301 { #expect(!renderer.isReadyForMoreMediaData) }
            do {
                try renderer.enqueue(buffer)
            } catch {
                #expect(error == .bufferFull)
                refusals += 1
            }
        }
        #expect(refusals > 2_800)
        // Of 1.3 GiB 256 MiB are held; the port holds the same memory, and little of it encoded. The rest is other
        // tests'.
        #expect(try Self.residentBytes() - before < 512 << 20)
    }

    private static func residentBytes() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(pages.count > 1 ? Int(pages[1]) : nil) * 4_096
    }
}
