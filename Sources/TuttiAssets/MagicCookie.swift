import TuttiCore

/// Magic cookies from FFmpeg's extradata, without what differs from file to file and no decoder needs: so that the
/// pieces of an album have one format, and one decoder plays them.
enum MagicCookie {
    /// The cookie of a coding; nil when the extradata are not what the coding wants.
    static func make(_ codec: AudioFormat.Codec, extradata: [UInt8]) -> [UInt8]? {
        switch codec {
        case .pcm, .mp3: []
        case .aac: (2...64).contains(extradata.count) ? extradata : nil
        case .alac: alac(extradata)
        case .flac: flac(extradata)
        case .opus: opus(extradata)
        case .vorbis: vorbis(extradata)
        case .float32: nil
        }
    }

    /// The bits of a sample that a STREAMINFO tells.
    static func flacBitDepth(_ cookie: [UInt8]) -> Int { (Int(cookie[12] & 1) << 4 | Int(cookie[13]) >> 4) + 1 }

    /// The frames that an OpusHead tells to drop from the front.
    static func opusDelay(_ head: [UInt8]) -> Int { head.count < 12 ? 0 : Int(head[10]) | Int(head[11]) << 8 }

    /// The 24 bytes in the `alac` atom, without the size of its largest packet and its bit rate.
    private static func alac(_ extradata: [UInt8]) -> [UInt8]? {
        guard extradata.count == 36, extradata[4..<8].elementsEqual("alac".utf8) else { return nil }
        var cookie = Array(extradata[12...])
        for index in 12..<20 { cookie[index] = 0 }
        return cookie
    }

    /// STREAMINFO, alone or behind `fLaC`, without packet sizes, length and checksum of the sound.
    private static func flac(_ extradata: [UInt8]) -> [UInt8]? {
        let isWhole = extradata.starts(with: "fLaC".utf8)
        let info = isWhole ? extradata.dropFirst(8).prefix(34) : extradata.prefix(34)
        guard info.count == 34 else { return nil }
        var cookie = Array(info)
        for index in 4..<10 { cookie[index] = 0 }
        cookie[13] &= 0xF0
        for index in 14..<34 { cookie[index] = 0 }
        return cookie
    }

    /// An OpusHead of one or two channels, without delay and source rate: packets carry their trims.
    private static func opus(_ extradata: [UInt8]) -> [UInt8]? {
        guard extradata.count >= 19, extradata.starts(with: "OpusHead".utf8), extradata[18] == 0 else { return nil }
        var cookie = Array(extradata.prefix(19))
        for index in 10..<16 { cookie[index] = 0 }
        return cookie
    }

    /// The three headers, Xiph-laced, with an empty one in place of the comments: those may hold whole pictures.
    private static func vorbis(_ extradata: [UInt8]) -> [UInt8]? {
        guard extradata.first == 2 else { return nil }
        var rest = extradata.dropFirst()
        var lengths: [Int] = []
        for _ in 0..<2 {
            var length = 0
            while let byte = rest.popFirst() {
                length += Int(byte)
                if byte < 255 { break }
            }
            lengths.append(length)
        }
        guard rest.count > lengths[0] + lengths[1] else { return nil }
        let identification = rest.prefix(lengths[0])
        let setup = rest.dropFirst(lengths[0] + lengths[1])
        // Type, name, no vendor, no comments, framing bit.
        let comments: [UInt8] = [3] + Array("vorbis".utf8) + [UInt8](repeating: 0, count: 8) + [1]
        guard identification.count < 255 else { return nil }
        return [2, UInt8(identification.count), UInt8(comments.count)] + identification + comments + setup
    }
}
