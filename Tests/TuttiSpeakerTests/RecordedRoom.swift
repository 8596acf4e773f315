import Foundation
import TestSupport
import Testing
import TuttiCore
import TuttiHost
import TuttiRooms
import TuttiSender
import TuttiSpeaker

/// A speaker of this process whose card is a file: at full volume and without drift correction, so that what it plays
/// can be compared bit for bit.
final class RecordedRoom: Sendable {
    let service: SpeakerService
    let address: RoomAddress
    private let path: String

    init(_ name: String, in folder: String, bufferSeconds: Double = 300) async throws {
        let state = "\(folder)/\(name)"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try #"{"id":"id-\#(name)","volume":100}"#.write(
            toFile: state + "/speaker.json", atomically: true, encoding: .utf8)
        path = state + ".wav"
        var configuration = SpeakerConfiguration(
            name: name, device: "file:\(path)?bits=32f&rate=48000", port: 0, bindAddress: "127.0.0.1",
            stateDirectory: state, bufferSeconds: bufferSeconds, announces: false, correctsDrift: false)
        configuration.claim = .open
        service = try await SpeakerService(configuration: configuration, clock: HostClock(), logger: quiet)
        address = RoomAddress(name: name, host: "127.0.0.1", port: service.port)
    }

    /// What was recorded; nil when the card ran dry meanwhile, as it does where this process is kept waiting.
    func recording() throws -> Recording? { try CardFile(path: path).map(Recording.init) }
}

/// The left channel of what a room played, at 48 kHz.
struct Recording {
    let left: [Float]
    /// When its first frame was heard, in ns of CLOCK_MONOTONIC_RAW.
    let began: Int64

    init(_ file: CardFile) { (left, began) = (file.left, file.began) }

    /// When a frame was heard.
    func instant(of frame: Int) -> Double { Double(began) + Double(frame) / 48_000 * 1e9 }

    /// The first frame from `start` on that is not `expected`, which lies at `offset`.
    func difference(from expected: [Float], at offset: Int, after start: Int = 0) -> Int? {
        (start..<expected.count).first { left[offset + $0] != expected[$0] }.map { $0 + offset }
    }
}

/// A sound that is known exactly: white noise of 16 bits at a quarter of full scale, both sides alike.
struct KnownSound {
    let integers: [Int16]

    init(seed: UInt64, frames: Int) {
        var state = seed
        integers = (0..<frames).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int16(truncatingIfNeeded: Int64(bitPattern: state) >> 50) | 1
        }
    }

    var samples: [Float] { integers.map { Float($0) / 32_768 } }

    /// Little-endian stereo samples.
    var bytes: [UInt8] {
        integers.flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] + [
                UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8),
            ]
        }
    }

    /// Writes a WAV file.
    func write(to path: String) throws {
        let samples = integers.flatMap { [$0, $0] }
        let file = WAVHeader.file(samples, sampleRate: 48_000, channelCount: 2)
        try Data(file).write(to: URL(fileURLWithPath: path))
    }
}
