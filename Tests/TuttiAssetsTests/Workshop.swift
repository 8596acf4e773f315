import Foundation
import TestSupport
import TuttiAssets
import TuttiCore

/// A temporary folder with sound files made on the spot, gone with the object.
final class Workshop {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-assets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    @discardableResult
    func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    /// Runs a command in the folder and waits for it.
    func run(_ command: String...) throws { try run(command) }

    /// Runs a command in the folder and waits for it.
    func run(_ command: [String]) throws { try OutsideTool.run(command, in: folder) }

    /// A 16-bit WAV file with a sweeping, never repeating sound; its samples.
    @discardableResult
    func writeWAV(_ name: String, frames: Int, rate: Int = 44_100, channels: Int = 2) throws -> [Int16] {
        let samples = Self.sound(frames: frames, channels: channels)
        try write(Self.wav(samples, rate: rate, channels: channels), to: name)
        return samples
    }

    static func sound(frames: Int, channels: Int) -> [Int16] {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<frames * channels).map { index in
            let (frame, channel) = (Double(index / channels), Double(index % channels))
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let noise = Double(state >> 40) / Double(1 << 24) - 0.5
            let tone = sin(frame * (0.02 + frame * 1e-7) + channel) * 0.6
            return Int16((tone + noise * 0.02) * 30_000)
        }
    }

    static func wav(_ samples: [Int16], rate: Int, channels: Int) -> [UInt8] {
        WAVHeader.file(samples, sampleRate: rate, channelCount: channels)
    }
}

extension Asset {
    /// Everything from here on.
    func readAll(maximumFrames: Int = 4_096) throws -> [Float] {
        var samples: [Float] = []
        while let block = try read(maximumFrames: maximumFrames) { samples += block.samples }
        return samples
    }
}
