import TuttiCore

/// The flashes and chirps as a film: a Matroska file (RFC 9559) with pictures in Motion JPEG and sound of 16 bits.
///
/// A picture lasts as long as the screen does not change: its times need no frame rate.
package enum FlashFilm {
    /// Milliseconds of a cluster, and of a block of sound.
    private static let (clusterLength, blockLength) = (1_000, 20)
    private static let (pictureTrack, soundTrack): (UInt8, UInt8) = (1, 2)

    /// The bytes of the file.
    package static func bytes() -> [UInt8] {
        element(
            0x1A45_DFA3,
            number(0x4286, 1) + number(0x42F7, 1) + number(0x42F2, 4) + number(0x42F3, 8)
                + text(0x4282, "matroska") + number(0x4287, 4) + number(0x4285, 2))
            + element(0x1853_8067, information + tracks + clusters())
    }

    private static var information: [UInt8] {
        element(
            0x1549_A966,
            // Times are milliseconds.
            number(0x2A_D7B1, 1_000_000) + real(0x4489, FlashPattern.duration * 1_000) + text(0x4D80, "Tutti")
                + text(0x5741, "Tutti"))
    }

    private static var tracks: [UInt8] {
        let pictures =
            number(0xD7, Int(pictureTrack)) + number(0x73C5, 1) + number(0x83, 1) + number(0x9C, 0)
            + text(0x86, "V_MJPEG")
            + element(0xE0, number(0xB0, FlashPattern.width) + number(0xBA, FlashPattern.height))
        let sound =
            number(0xD7, Int(soundTrack)) + number(0x73C5, 2) + number(0x83, 2) + number(0x9C, 0)
            + text(0x86, "A_PCM/INT/LIT")
            + element(0xE1, real(0xB5, Double(FlashPattern.sampleRate)) + number(0x9F, 1) + number(0x6264, 16))
        return element(0x1654_AE6B, element(0xAE, pictures) + element(0xAE, sound))
    }

    // MARK: Clusters

    private static func clusters() -> [UInt8] {
        let samples = FlashPattern.samples()
        let blockFrames = blockLength * FlashPattern.sampleRate / 1_000
        let images = [false, true].map {
            PlainImage.jpeg(width: FlashPattern.width, height: FlashPattern.height, isWhite: $0)
        }
        var result: [UInt8] = []
        var pictures = FlashPattern.pictures[...]
        let blockCount = samples.count / blockFrames
        let blocksPerCluster = clusterLength / blockLength
        for first in stride(from: 0, to: blockCount, by: blocksPerCluster) {
            let start = first * blockLength
            var blocks = number(0xE7, start)
            for index in first..<min(first + blocksPerCluster, blockCount) {
                let time = index * blockLength
                while let picture = pictures.first, picture.start < time + blockLength {
                    let block = block(
                        0xA1, pictureTrack, after: picture.start - start, images[picture.isWhite ? 1 : 0])
                    blocks += element(0xA0, block + number(0x9B, picture.duration))
                    pictures.removeFirst()
                }
                let sound = samples[index * blockFrames..<(index + 1) * blockFrames].flatMap { sample in
                    let value = UInt16(bitPattern: Int16((min(max(sample, -1), 1) * 32_767).rounded()))
                    return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
                }
                blocks += block(0xA3, soundTrack, after: time - start, sound)
            }
            result += element(0x1F43_B675, blocks)
        }
        return result
    }

    /// A block, or a simple one, that begins so many milliseconds after its cluster. All can be decoded by themselves.
    private static func block(_ identifier: UInt32, _ track: UInt8, after milliseconds: Int, _ data: [UInt8]) -> [UInt8]
    {
        element(
            identifier,
            [0x80 | track, UInt8(milliseconds >> 8 & 0xFF), UInt8(milliseconds & 0xFF), identifier == 0xA3 ? 0x80 : 0]
                + data)
    }

    // MARK: Elements (RFC 8794)

    /// An element with its length in four bytes.
    private static func element(_ identifier: UInt32, _ body: [UInt8]) -> [UInt8] {
        let name = bytes(UInt64(identifier)).drop { $0 == 0 }
        return name + bytes(UInt64(body.count)).suffix(4).enumerated().map { $0 == 0 ? $1 | 0x10 : $1 } + body
    }

    private static func number(_ identifier: UInt32, _ value: Int) -> [UInt8] {
        element(identifier, bytes(UInt64(max(value, 0))).suffix(4))
    }

    private static func real(_ identifier: UInt32, _ value: Double) -> [UInt8] {
        element(identifier, bytes(value.bitPattern))
    }

    private static func text(_ identifier: UInt32, _ value: String) -> [UInt8] {
        element(identifier, Array(value.utf8))
    }

    private static func bytes(_ value: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt64($0)) }
    }
}
