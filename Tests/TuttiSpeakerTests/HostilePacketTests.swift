import TestSupport
import Testing
import TuttiAssets
import TuttiCodecs
import TuttiCore
import TuttiDecoding
import TuttiSpeaker

@Suite(
    "Formats and packets of original codings from anywhere do no harm",
    .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct HostilePacketTests {
    private static func packets(_ coding: SoundFiles.Coding) throws -> (AudioFormat, [AssetPacket]) {
        let files = try SoundFiles()
        let input = try files.encode(SoundFiles.sweep(0..<30_000, rate: coding.rate), as: "a", coding)
        let asset = try Asset.open(input)
        let format = try #require(try asset.startPackets())
        var packets: [AssetPacket] = []
        while case .packet(let packet)? = try asset.readPacket() { packets.append(packet) }
        return (format, packets)
    }

    private static func mutate(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        guard !bytes.isEmpty else { return (0..<40).map { _ in .random(in: 0...255, using: &random) } }
        var result = bytes
        switch Int.random(in: 0..<5, using: &random) {
        case 0: result.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        case 1:
            result += (0..<Int.random(in: 1...3_000, using: &random)).map { _ in .random(in: 0...255, using: &random) }
        case 2: result = result.map { _ in .random(in: 0...255, using: &random) }
        default:
            for _ in 0...Int.random(in: 0...8, using: &random) {
                result[Int.random(in: result.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
        }
        return result
    }

    @Test("Each packet becomes its frames, whatever it holds", arguments: SoundFiles.codings)
    func packets(_ coding: SoundFiles.Coding) throws {
        let (format, packets) = try Self.packets(coding)
        guard coding.codec != .pcm else { return }
        var random = SplitMix64(seed: 1)
        let playback = PacketPlayback { format throws(CodecError) in try Decoders.make(for: format) }
        for round in 0..<600 {
            let packet = packets[round % packets.count]
            let counts = [packet.frameCount, 0, 1, 65_536, 65_537, 200_000]
            let count = round % 7 == 0 ? counts.randomElement(using: &random) ?? 0 : packet.frameCount
            let preroll =
                round % 5 == 0 ? PrerollPacket(frameCount: count, data: Self.mutate(packet.data, &random)) : nil
            let buffer = try #require(
                SampleBuffer(
                    format: format, presentationTime: MediaTime(frame: Int64(round) * 10_000, sampleRate: coding.rate),
                    frameCount: count, trimAtStart: min(3, count), data: Self.mutate(packet.data, &random),
                    preroll: preroll.map { [$0] }))
            #expect(playback.play(buffer) { [] }.count == buffer.audibleFrameCount * 2)
        }
        #expect(playback.damagedCount > 0)
    }

    @Test("A hostile configuration is refused, or decodes to its frames", arguments: SoundFiles.codings)
    func cookies(_ coding: SoundFiles.Coding) throws {
        let (format, packets) = try Self.packets(coding)
        guard coding.codec != .pcm else { return }
        var random = SplitMix64(seed: 2)
        for round in 0..<250 {
            let channels = round % 4 == 0 ? Int.random(in: 1...8, using: &random) : format.channelCount
            let rate = round % 6 == 0 ? [8_000, 192_000].randomElement(using: &random) ?? 8_000 : format.sampleRate
            let hostile = try #require(
                AudioFormat(
                    codec: format.codec, sampleRate: rate, channelCount: channels, bitDepth: format.bitDepth,
                    magicCookie: Self.mutate(format.magicCookie, &random)))
            let playback = PacketPlayback { format throws(CodecError) in try Decoders.make(for: format) }
            for packet in packets.prefix(4) {
                let buffer = try #require(
                    SampleBuffer(
                        format: hostile, presentationTime: .zero, frameCount: packet.frameCount, data: packet.data))
                #expect(playback.play(buffer) { [] }.count == packet.frameCount * 2)
            }
        }
    }

    @Test("An ALAC configuration cannot ask for memory without bounds")
    func alac() throws {
        let cookie: [UInt8] =
            [0x00, 0xFF, 0xFF, 0xFF] + [0, 16, 40, 10, 14, 2, 0, 255] + [UInt8](repeating: 0, count: 12)
        let format = try #require(
            AudioFormat(codec: .alac, sampleRate: 44_100, channelCount: 2, bitDepth: 16, magicCookie: cookie))
        #expect(throws: CodecError.self) { try Decoders.make(for: format) }
    }
}
