#if FFmpeg
import CFFmpeg
import TuttiCore

/// How many frames a packet decodes to, by what the packet itself says.
final class PacketLength {
    /// What a packet is.
    enum Verdict: Equatable {
        /// It decodes to so many frames.
        case frames(Int)
        /// It is of another sample rate than the medium.
        case otherRate
        /// It is no packet of this coding.
        case damaged
    }

    private enum Kind {
        case fixed(Int)
        case samples(bytesPerFrame: Int)
        case mp3(sampleRate: Int)
        case flac
        case opus
        case alac(frames: Int)
        case vorbis(OpaquePointer)
    }

    private let kind: Kind
    /// The next packet is the first one that the decoder hears.
    private var isFirst = true

    /// The counter for packets of `format`; nil when they cannot be counted.
    ///
    /// - Parameters:
    ///   - fixedFrames: frames of each packet where the coding has a fixed number.
    ///   - extradata: FFmpeg's form of the magic cookie.
    init?(_ format: AudioFormat, fixedFrames: Int, extradata: [UInt8]) {
        switch format.codec {
        case .aac:
            guard (1...4_096).contains(fixedFrames) else { return nil }
            kind = .fixed(fixedFrames)
        case .pcm:
            guard let bytes = format.bytesPerFrame else { return nil }
            kind = .samples(bytesPerFrame: bytes)
        case .mp3: kind = .mp3(sampleRate: format.sampleRate)
        case .flac: kind = .flac
        case .opus: kind = .opus
        case .alac: kind = .alac(frames: format.magicCookie.prefix(4).reduce(0) { $0 << 8 | Int($1) })
        case .vorbis:
            guard let count = Int32(exactly: extradata.count), let parser = av_vorbis_parse_init(extradata, count)
            else { return nil }
            kind = .vorbis(parser)
        case .float32: return nil
        }
    }

    deinit {
        guard case .vorbis(let parser) = kind else { return }
        var owned: OpaquePointer? = parser
        av_vorbis_parse_free(&owned)
    }

    /// The next packet comes from elsewhere.
    func reset() { isFirst = true }

    /// What `packet`, the one that follows the last, decodes to.
    func judge(_ packet: [UInt8]) -> Verdict {
        defer { isFirst = false }
        switch kind {
        case .fixed(let frames): return packet.isEmpty ? .damaged : .frames(frames)
        case .samples(let bytesPerFrame): return .frames(packet.count / bytesPerFrame)
        case .mp3(let sampleRate): return MPEGHeader.judge(packet, sampleRate: sampleRate)
        case .flac: return Self.flac(packet).map { .frames($0) } ?? .damaged
        case .opus: return Self.opus(packet).map { .frames($0) } ?? .damaged
        case .alac(let frames): return Self.alac(packet, frames: frames).map { .frames($0) } ?? .damaged
        case .vorbis(let parser):
            let duration = Int(av_vorbis_parse_frame(parser, packet, Int32(clamping: packet.count)))
            if duration < 0 { return .damaged }
            // The first packet only fills the overlap.
            return .frames(isFirst ? 0 : duration)
        }
    }

    /// RFC 9639, section 9.1: the block size in a frame's header.
    private static func flac(_ packet: [UInt8]) -> Int? {
        guard packet.count > 16, packet[0] == 0xFF, packet[1] & 0xFE == 0xF8 else { return nil }
        let code = Int(packet[2] >> 4)
        // The number of the frame or sample, coded as UTF-8 would.
        let place = 4 + max(1, (~packet[4]).leadingZeroBitCount)
        switch code {
        case 1: return 192
        case 2...5: return 576 << (code - 2)
        case 6: return Int(packet[place]) + 1
        case 7: return (Int(packet[place]) << 8 | Int(packet[place + 1])) + 1
        case 8...15: return 256 << (code - 8)
        default: return nil
        }
    }

    /// RFC 6716, section 3.1: configuration and number of frames, in frames of 48 kHz.
    private static func opus(_ packet: [UInt8]) -> Int? {
        guard let first = packet.first else { return nil }
        let configuration = Int(first >> 3)
        let length =
            switch configuration {
            case 0..<12: [480, 960, 1_920, 2_880][configuration & 3]
            case 12..<16: [480, 960][configuration & 1]
            default: 120 << (configuration & 3)
            }
        let count: Int
        switch first & 3 {
        case 0: count = 1
        case 1, 2: count = 2
        default:
            guard packet.count > 1 else { return nil }
            count = Int(packet[1] & 63)
        }
        return (1...5_760).contains(length * count) ? length * count : nil
    }

    /// A packet has the number of frames of the magic cookie, or says how many itself.
    private static func alac(_ packet: [UInt8], frames: Int) -> Int? {
        guard packet.count > 7 else { return nil }
        let head = packet.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // After tag (3 bits), instance (4) and a reserve of 12: whether a count of 32 bits follows at bit 23.
        guard head >> 44 & 1 == 1 else { return frames }
        let count = Int(head >> 9 & 0xFFFF_FFFF)
        return (1...max(frames, 1)).contains(count) ? count : nil
    }
}
#endif
