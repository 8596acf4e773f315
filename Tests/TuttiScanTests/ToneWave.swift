import Foundation

/// Stereo tones in WAV files of 16 bits, with an album's name.
struct ToneWave {
    static let rate = 48_000
    var level: Double
    var seconds: Double
    var album: String?
    /// Frames after which the tone goes on as if it had begun earlier.
    var phase = 0

    /// dB of a tone of 997 Hz in two channels are LUFS.
    static let hertz = 997.0

    func write(to path: String) throws {
        let frames = Int(seconds * Double(Self.rate))
        let amplitude = pow(10, level / 20) * 32_767
        var samples = Data(capacity: frames * 4)
        for frame in 0..<frames {
            let angle = 2 * Double.pi * Self.hertz * Double(frame + phase) / Double(Self.rate)
            let sample = Int16((amplitude * sin(angle)).rounded())
            for _ in 0..<2 { samples.append(contentsOf: Self.bytes(UInt16(bitPattern: sample))) }
        }
        try Self.file(format: 1, bits: 16, samples, album: album).write(to: URL(filePath: path))
    }

    /// A WAV file; `format` is 1 for numbers and 3 for floats.
    static func file(format: UInt16, bits: UInt16, _ samples: Data, album: String?) -> Data {
        var body = Data("WAVEfmt ".utf8) + bytes(UInt32(16)) + bytes(format) + bytes(UInt16(2))
        body += bytes(UInt32(rate)) + bytes(UInt32(rate) * UInt32(bits) / 4) + bytes(bits / 4) + bytes(bits)
        if var name = album.map({ Data($0.utf8) + [0] }) {
            if name.count % 2 == 1 { name.append(0) }
            body += Data("LIST".utf8) + bytes(UInt32(12 + name.count)) + Data("INFOIPRD".utf8)
            body += bytes(UInt32(name.count)) + name
        }
        body += Data("data".utf8) + bytes(UInt32(samples.count)) + samples
        return Data("RIFF".utf8) + bytes(UInt32(body.count)) + body
    }

    private static func bytes(_ number: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: number.littleEndian) { Data($0) }
    }
}

/// A folder that goes with the test.
final class ScanFolder {
    let path = FileManager.default.temporaryDirectory.path + "/tutti-scan-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func add(_ name: String, _ tone: ToneWave) throws -> String {
        try tone.write(to: path + "/" + name)
        return path + "/" + name
    }
}
