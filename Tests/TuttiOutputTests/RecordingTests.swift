import Foundation
import Glibc
import Testing
import TuttiCore
import TuttiHost
import TuttiOutput

@Suite struct RecordingTests {
    private struct Run: Decodable, Equatable {
        var run: Int
        var t0_raw_ns: Int64
        var rate: Int
        var ppm: Double
        var first_frame: Int
        var frames: Int
    }

    private func log(of path: String) throws -> [Run] {
        let text = try String(contentsOfFile: path + ".timing.json", encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Run.self, from: Data($0.utf8)) }
    }

    /// The sound in a WAV file whose header must agree with its length.
    private func sound(of path: String) throws -> [UInt8] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func number(at offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        #expect(String(decoding: bytes[0..<4] + bytes[8..<16], as: UTF8.self) == "RIFFWAVEJUNK")
        #expect(String(decoding: bytes[72..<76], as: UTF8.self) == "data")
        #expect(number(at: 4) == bytes.count - 8 - bytes.count % 2)
        #expect(number(at: 76) == bytes.count - WAVHeader.growingByteCount)
        return Array(bytes[WAVHeader.growingByteCount...])
    }

    @Test func recordsWhatIsWrittenAndWhenItLeft() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/card.wav"
            let time = ManualTime()
            let card = try makeCard("file:\(path)?rate=48000&bits=16&period=480&buffer=1920&ppm=80", time: time)
            try card.start()
            let t0 = time.now()
            for value in UInt8(1)...10 {
                #expect(card.wait(timeoutNanoseconds: 1_000_000_000) == .writable)
                #expect(card.write(value: value, frames: 480) == 480)
            }
            card.close()
            let bytes = try sound(of: path)
            #expect(bytes.prefix(1920 * 4).allSatisfy { $0 == 0 })
            #expect(
                bytes.dropFirst(1920 * 4).elementsEqual((UInt8(1)...10).flatMap { [UInt8](repeating: $0, count: 1920) })
            )
            // Room for ten periods came when ten had left; what was queued at the end never did.
            #expect(
                try log(of: path) == [Run(run: 1, t0_raw_ns: t0, rate: 48_000, ppm: 80, first_frame: 0, frames: 4800)])
        }
    }

    @Test func headerAndLogAreRightWhileItRuns() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/card.wav"
            let time = ManualTime()
            let card = try makeCard("file:\(path)?rate=8000&bits=24&period=80&buffer=800", time: time)
            try card.start()
            for _ in 0..<500 {
                #expect(card.wait(timeoutNanoseconds: 1_000_000_000) == .writable)
                #expect(card.write(frames: 80) == 80)
            }
            let header = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(WAVHeader.growingByteCount)
            let dataBytes = header.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            // Never more than half a second behind.
            #expect(dataBytes % 6 == 0 && dataBytes / 6 > 40_800 - 4000 && dataBytes / 6 <= 40_800)
            let run = try #require(try log(of: path).first)
            #expect(run.frames > 40_000 - 8000 && run.frames <= 40_000)
            card.close()
            #expect(try sound(of: path).count == 40_800 * 6)
        }
    }

    @Test func everyRunHasItsLine() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/card.wav"
            let time = ManualTime()
            let card = try makeCard("file:\(path)?period=480&buffer=1920", time: time)
            try card.start()
            time.pass(nanoseconds: 100_000_000)
            #expect(card.wait(timeoutNanoseconds: 0) == .xrun)
            try card.recover(silence: 480)
            let second = time.now()
            time.pass(nanoseconds: 5_000_000)
            #expect(card.write(frames: 480) == 480)
            card.close()
            let runs = try log(of: path)
            #expect(runs.map(\.first_frame) == [0, 1920])
            // The first ran dry: all that it was given had left.
            #expect(runs.map(\.frames) == [1920, 240])
            #expect(runs.last?.t0_raw_ns == second)
            // A run after an underrun begins on 10 ms of silence.
            #expect(try sound(of: path).count == (1920 + 480 + 480) * 4)
        }
    }

    @Test func openingAgainGoesOnInTheSameForm() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/card.wav"
            let time = ManualTime()
            let first = try makeCard("file:\(path)?period=480&buffer=1920", time: time, depth: 16)
            try first.start()
            first.close()
            let second = try makeCard("file:\(path)?period=480&buffer=1920", time: time, depth: 24)
            #expect(second.actual.sampleType == .int16)
            try second.start()
            second.close()
            #expect(try sound(of: path).count == 2 * 1920 * 4)
            #expect(try log(of: path).map(\.run) == [1, 2])
            #expect(try log(of: path).map(\.first_frame) == [0, 1920])
        }
    }

    @Test func aFullDiskIsAnErrorOfItsOwn() throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        try withTemporaryDirectory { directory in
            let path = directory + "/card.wav"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
            let error = #expect(throws: OutputError.self) { try makeCard("file:\(path)", time: ManualTime()) }
            guard case .file(.file(_, path, ENOSPC))? = error else {
                Issue.record("not a full disk's error: \(String(describing: error))")
                return
            }
        }
    }

    @Test func aPlaceThatIsNotThereIsNamed() {
        let error = #expect(throws: OutputError.self) { try makeCard("file:/nowhere/card.wav", time: ManualTime()) }
        #expect(error?.description == "cannot write /nowhere/card.wav: No such file or directory")
    }

    @Test func soundLongerThan32BitsCountBecomesRF64() {
        let header = WAVHeader(sampleRate: 192_000, channelCount: 2, layout: .float32)
        let dataBytes: UInt64 = 5_000_000_000
        let bytes = withUnsafeTemporaryAllocation(byteCount: WAVHeader.growingByteCount, alignment: 8) { target in
            header.writeGrowing(into: target, dataBytes: dataBytes)
            return Array(target)
        }
        #expect(String(decoding: bytes[0..<4], as: UTF8.self) == "RF64" && bytes[4..<8].allSatisfy { $0 == 255 })
        #expect(String(decoding: bytes[12..<16], as: UTF8.self) == "ds64")
        let size = bytes[28..<36].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let frames = bytes[36..<44].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        #expect(size == dataBytes && frames == dataBytes / 8)
    }
}
