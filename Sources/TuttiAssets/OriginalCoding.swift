#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiCore
import TuttiFFmpeg

/// What a medium's packets are on the wire.
struct OriginalCoding {
    /// The format with its magic cookie.
    let format: AudioFormat
    /// How many frames packets hold.
    let length: PacketLength
    /// Frames of the encoder's delay that FFmpeg's decoder drops unasked.
    let delay: Int
    /// Samples lie in big-endian order.
    let isBigEndian: Bool

    /// Nil for codings that no speaker takes as they are, and for more than two channels, which are mixed here.
    init?(_ stream: DecodedStream, bitDepth: Int) {
        let parameters: UnsafeMutablePointer<AVCodecParameters> = stream.demuxer.stream.pointee.codecpar
        let channels = stream.decoder.channelCount
        guard let (codec, bits) = Self.codec(parameters.pointee.codec_id), (1...2).contains(channels),
            let cookie = MagicCookie.make(codec, extradata: stream.extradata)
        else { return nil }
        let depth = codec == .flac ? MagicCookie.flacBitDepth(cookie) : bits ?? bitDepth
        guard
            let format = AudioFormat(
                codec: codec, sampleRate: stream.sampleRate, channelCount: channels, bitDepth: depth,
                magicCookie: cookie),
            let length = PacketLength(
                format, fixedFrames: stream.decoder.frameSize, extradata: stream.extradata)
        else { return nil }
        self.format = format
        self.length = length
        delay = codec == .opus ? MagicCookie.opusDelay(stream.extradata) : 0
        isBigEndian = [AV_CODEC_ID_PCM_S16BE, AV_CODEC_ID_PCM_S24BE, AV_CODEC_ID_PCM_S32BE].contains(
            parameters.pointee.codec_id)
    }

    /// The bytes as they travel, in whole frames.
    func payload(_ packet: DemuxedPacket, frameCount: Int) -> [UInt8] {
        guard let bytesPerFrame = format.bytesPerFrame else { return packet.data }
        let count = frameCount * bytesPerFrame
        guard isBigEndian else { return count == packet.data.count ? packet.data : Array(packet.data.prefix(count)) }
        let width = format.bitDepth / 8
        return [UInt8](unsafeUninitializedCapacity: count) { output, written in
            for index in 0..<count { output[index] = packet.data[index / width * width + width - 1 - index % width] }
            written = count
        }
    }

    /// Our name for FFmpeg's coding, with the depth of samples.
    private static func codec(_ id: AVCodecID) -> (AudioFormat.Codec, bits: Int?)? {
        switch id {
        case AV_CODEC_ID_AAC: (.aac, nil)
        case AV_CODEC_ID_MP3: (.mp3, nil)
        case AV_CODEC_ID_ALAC: (.alac, nil)
        case AV_CODEC_ID_FLAC: (.flac, nil)
        case AV_CODEC_ID_VORBIS: (.vorbis, nil)
        case AV_CODEC_ID_OPUS: (.opus, nil)
        case AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S16BE: (.pcm, 16)
        case AV_CODEC_ID_PCM_S24LE, AV_CODEC_ID_PCM_S24BE: (.pcm, 24)
        case AV_CODEC_ID_PCM_S32LE, AV_CODEC_ID_PCM_S32BE: (.pcm, 32)
        default: nil
        }
    }
}

extension DecodedStream {
    /// The decoder's configuration as FFmpeg has it.
    var extradata: [UInt8] {
        let parameters: UnsafeMutablePointer<AVCodecParameters> = demuxer.stream.pointee.codecpar
        guard let bytes = parameters.pointee.extradata, parameters.pointee.extradata_size > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(parameters.pointee.extradata_size)))
    }
}
#endif
