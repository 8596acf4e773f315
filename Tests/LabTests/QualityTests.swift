import Foundation
import Testing
import TuttiLab

extension BehaviourTests {
    /// One room heard closely: the programs themselves, on cards of this host.
    @Suite("Quality", .serialized, .enabled(if: LabSite.card.isMet, LabSite.card.comment))
    struct QualityTests {
        @Test(
            "without correction and at equal rates every bit arrives, from the first frame to the last",
            .timeLimit(.minutes(1)), arguments: [(44_100, 16), (48_000, 24)])
        func everyBit(rate: Int, bits: Int) throws {
            let folder = try LabSite.folder("bits-\(bits)")
            let file = "\(folder)/noise.wav"
            var random = UInt64(88_172_645_463_325_252)
            let channels = (0..<2).map { _ in
                (0..<rate * 3).map { _ -> Float in
                    random ^= random << 13
                    random ^= random >> 7
                    random ^= random << 17
                    return Float(Int64(bitPattern: random) >> (64 - bits)) / Float(1 << (bits - 1))
                }
            }
            try WaveFile(sampleRate: rate, channels: channels).write(to: file, bits: bits)
            let format = bits == 16 ? "S16_LE" : "S24_3LE"
            let room = try QualityRoom(
                "plain", in: folder, format: format, rate: rate, port: 7_734, flags: ["--correction", "off"])
            defer { room.stop() }
            #expect(try QualityRoom.play(file, in: [room], folder: folder).wait(seconds: 20) == .exited(code: 0))
            room.stop()
            let source = try QualityRoom.samples(of: file)
            let played = try QualityRoom.samples(of: room.recording)
            let begin = try #require(played.firstIndex { $0 != 0 }, "something is heard") / 6 * 6
            let found = played.firstRange(of: source.prefix(600))?.lowerBound
            let late = source.firstRange(of: played.dropFirst(begin + 6_000).prefix(600))?.lowerBound ?? -1
            let start = try #require(
                found, "what is heard from byte \(begin + 6_000) on is the song from byte \(late) on, not its beginning"
            )
            let isWhole = played.dropFirst(start).prefix(source.count) == source
            #expect(isWhole)
            #expect(played.prefix(start).allSatisfy { $0 == 0 })
            #expect(played.dropFirst(start + source.count).allSatisfy { $0 == 0 })
        }

        @Test(
            "while it plays, the render thread allocates nothing and takes no lock", .timeLimit(.minutes(1)),
            .enabled(if: LabSite.compiler.isMet, LabSite.compiler.comment))
        func renderThread() throws {
            let folder = try LabSite.folder("render-thread")
            let file = "\(folder)/tone.wav"
            let sine = (0..<44_100 * 9).map { Float(0.5 * sin(0.1 * Double($0))) }
            try WaveFile(sampleRate: 44_100, channels: [sine, sine]).write(to: file)
            try Tool.run(["make", "-s", "-C", LabSite.watchSources, "OUT=\(folder)"])
            let room = try QualityRoom(
                "watched", in: folder, format: "S16_LE", rate: 48_000, port: 7_735,
                environment: [
                    "LD_PRELOAD": "\(folder)/tutti_lab_watch.so", "TUTTI_LAB_WATCH_THREAD": "tutti-render",
                    "TUTTI_LAB_WATCH_FILE": "\(folder)/counts",
                    // alsa-lib guards plugin PCMs, such as this card, with a mutex; hardware has none.
                    "LIBASOUND_THREAD_SAFE": "0",
                ])
            defer { room.stop() }
            let player = try QualityRoom.play(file, in: [room], folder: folder)
            usleep(2_500_000)
            let before = try counts("\(folder)/counts")
            let bytesBefore = try recordedBytes(room)
            usleep(5_000_000)
            let after = try counts("\(folder)/counts")
            #expect(before.allocations > 0 && before.locks > 0, "the watch works: opening a device does both")
            #expect(try recordedBytes(room) - bytesBefore > 4 * 48_000 * 4, "it played")
            #expect(after.allocations == before.allocations)
            #expect(after.frees == before.frees)
            #expect(after.locks == before.locks)
            #expect(after.waits == before.waits)
            #expect(player.wait(seconds: 20) == .exited(code: 0))
            // The file is the sound's, not silence.
            #expect(try QualityRoom.samples(of: room.recording).suffix(4 * 48_000 * 2).contains { $0 != 0 })
        }

        private func recordedBytes(_ room: QualityRoom) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: room.recording)[.size] as? Int)
        }

        /// The watch's counts, in the order of `Tests/Lab/watch`.
        private func counts(_ path: String) throws -> (allocations: Int64, frees: Int64, locks: Int64, waits: Int64) {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            try #require(data.count == 48)
            func word(_ index: Int) -> Int64 {
                data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8 * index, as: Int64.self) }
            }
            return (word(0), word(1), word(2), word(3))
        }
    }
}

extension LabSite {
    /// Whether the virtual card is there, and if not, why.
    static let card = Need(programs.missingCard)

    /// Whether a C compiler is there.
    static let compiler = Need(["make", "cc"].allSatisfy(Tool.isInstalled) ? nil : .missingTool("make or cc"))

    /// The folder of the watch on one thread.
    static let watchSources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Lab/watch").path
}
