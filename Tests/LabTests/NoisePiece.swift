import Foundation
import TuttiCore

/// A piece of noise in which every frame can be told from every other, at 48 kHz, stereo, 16 bits.
struct NoisePiece {
    let name: String
    /// The samples of each frame as they lie in a file.
    let frames: [UInt32]

    static let rate = 48_000

    init(_ name: String, seconds: Double) {
        self.name = name
        var state = name.utf8.reduce(UInt64(seconds * 1000)) { ($0 &+ UInt64($1)) &* 0x9E37_79B9_7F4A_7C15 }
        frames = (0..<Int(seconds * Double(Self.rate))).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt32(truncatingIfNeeded: (state ^ (state >> 31)) >> 16)
        }
    }

    /// Writes the piece as a WAV file.
    func write(to path: String) throws {
        let samples = frames.flatMap { [Int16(truncatingIfNeeded: $0), Int16(truncatingIfNeeded: $0 >> 16)] }
        let data = Data(WAVHeader.file(samples, sampleRate: Self.rate, channelCount: 2))
        try data.write(to: URL(fileURLWithPath: path))
    }
}

/// A stretch of a recording that is a stretch of a piece, frame by frame.
struct NoiseStretch: Equatable, CustomStringConvertible {
    /// The frame of the recording.
    let start: Int
    let piece: String
    /// The frame of the piece.
    let from: Int
    let count: Int

    var end: Int { start + count }
    var description: String { "\(piece) from \(from), \(count) frames, at \(start)" }

    /// The stretches of at least `minimum` frames in a recording, in order. A sample may be off by what dither does to
    /// it: the card's samples are dithered while two decks overlap.
    static func find(_ pieces: [NoisePiece], in recording: Data, minimum: Int = 200) -> [NoiseStretch] {
        let frames = recording.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
        }
        var places: [UInt64: (piece: Int, frame: Int)] = [:]
        for (number, piece) in pieces.enumerated() {
            for frame in 0..<piece.frames.count - 1 {
                places[key(piece.frames, frame)] = (number, frame)
            }
        }
        var stretches: [NoiseStretch] = []
        var (at, free) = (0, 0)
        while at + 1 < frames.count {
            guard let (number, from) = places[key(frames, at)] else {
                at += 1
                continue
            }
            let piece = pieces[number].frames
            let count = zip(frames[at...], piece[from...]).prefix { isNear($0, $1) }.count
            let before = zip(frames[free..<at].reversed(), piece[..<from].reversed()).prefix { isNear($0, $1) }.count
            if before + count >= minimum {
                stretches.append(
                    NoiseStretch(
                        start: at - before, piece: pieces[number].name, from: from - before, count: before + count))
                free = at + count
            }
            at += max(count, 1)
        }
        return stretches
    }

    private static func isNear(_ one: UInt32, _ other: UInt32) -> Bool {
        [0, 16].allSatisfy { shift in
            let difference =
                Int(Int16(truncatingIfNeeded: one >> shift)) - Int(Int16(truncatingIfNeeded: other >> shift))
            return abs(difference) <= 2
        }
    }

    private static func key(_ frames: [UInt32], _ index: Int) -> UInt64 {
        UInt64(frames[index]) << 32 | UInt64(frames[index + 1])
    }
}
