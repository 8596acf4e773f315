import Foundation
import Glibc
import Testing
import TuttiLab

/// What minutes that are held ahead cost a speaker's memory. No time matters: it may run beside anything.
@Suite("Memory", .serialized, .enabled(if: LabSite.ffmpeg.isMet, LabSite.ffmpeg.comment))
struct MemoryTests {
    /// A programme of many minutes, and how it travels.
    struct Way: Sendable, CustomTestStringConvertible {
        let file: String
        let encoding: [String]
        let options: [String]
        var testDescription: String { options.dropFirst().joined(separator: " ") }
    }

    static let ways = [
        Way(file: "a.flac", encoding: ["-c:a", "flac"], options: ["--codec", "flac"]),
        Way(file: "b.flac", encoding: ["-c:a", "flac"], options: ["--codec", "opus", "--bitrate", "128"]),
        Way(file: "a.m4a", encoding: ["-c:a", "aac", "-b:a", "128k"], options: ["--codec", "original"]),
    ]

    private static let minutes = 20
    /// What memory may grow by for each encoded byte.
    private static let most = 1.2

    private let house: Household

    init() throws { house = try Household("memory-\(getpid())-\(UInt32.random(in: 0...9_999))") }

    private struct Held: Decodable {
        struct Room: Decodable {
            var loaded: [[Double]]
            var bufferedBytes: Double?
        }
        var rooms: [Room]
    }

    /// What the room holds, in minutes and encoded bytes.
    private func held() throws -> (minutes: Double, bytes: Double)? {
        let text = try house.tutti("status", "--json").text
        guard let status = try? JSONDecoder().decode(Held.self, from: Data(text.utf8)),
            let room = status.rooms.first,
            let last = room.loaded.last?.last, let bytes = room.bufferedBytes
        else { return nil }
        return (last / 60, bytes)
    }

    /// What was held, and the memory that the speaker had then, without pages of its program: those come back one by
    /// one as code runs.
    private struct Sample {
        var minutes: Double
        var bytes: Double
        var memory: Double
    }

    /// Bytes of memory for each byte held: the slope of the line through all samples by least squares. The first and
    /// the last alone differ by what starting leaves.
    private static func growth(_ samples: [Sample]) -> Double {
        let count = Double(samples.count)
        let bytes = samples.map(\.bytes).reduce(0, +) / count
        let memory = samples.map(\.memory).reduce(0, +) / count
        let together = samples.map { ($0.bytes - bytes) * ($0.memory - memory) }.reduce(0, +)
        return together / samples.map { ($0.bytes - bytes) * ($0.bytes - bytes) }.reduce(0, +)
    }

    @Test("Each minute that is held costs little more than its encoded size", arguments: ways)
    func growth(_ way: Way) throws {
        // Noise under a tone: neither codec can make nothing of it.
        let file = house.path(way.file)
        let seconds = Self.minutes * 60
        try Tool.run(
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:a=0.05:c=pink:d=\(seconds)",
                "-f", "lavfi", "-i", "sine=f=440:r=48000:d=\(seconds)", "-filter_complex",
                "[0][1]amix=inputs=2,pan=stereo|c0=c0|c1=c0,aformat=s16",
            ] + way.encoding + [file])
        let speaker = try house.startNullSpeaker("kitchen", buffer: "\(Self.minutes + 5)m")
        let player = try house.start(["play", file] + house.rooms + way.options)
        defer { player.0.stop(signal: SIGINT) }
        var samples: [Sample] = []
        let isWhole = try house.eventually(within: 600) {
            guard let held = try held(), let usage = ProcessUsage(process: speaker.process.id) else { return false }
            samples.append(
                Sample(minutes: held.minutes, bytes: held.bytes, memory: Double(usage.anonymousBytes)))
            return held.minutes > Double(Self.minutes) - 0.1
        }
        try #require(isWhole, "\(Self.minutes) minutes are held")
        // What starting takes is not the programme's.
        samples.removeAll { $0.minutes < 1 }
        try #require(samples.count > 5, "memory was read while minutes came")
        let last = try #require(samples.last)
        let ratio = Self.growth(samples)
        let perMinute = last.bytes / last.minutes / 1e6
        print(
            "\(way.testDescription): \(perMinute.text(2)) MB a minute, \((last.minutes - samples[0].minutes).text(1)) more minutes: "
                + "memory grew by \(ratio.text(2)) of their size, to \((last.memory / 1e6).text(0)) MB"
        )
        #expect(ratio <= Self.most)
    }
}
