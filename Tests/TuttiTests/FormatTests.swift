import Foundation
import Testing
import Tutti
import TuttiCodecs

@Suite struct FormatTests {
    /// A sine of 997 Hz at half of full scale.
    private func sine(_ frame: Int, _ rate: Int) -> Float {
        Float(0.5 * sin(2 * .pi * 997 * Double(frame) / Double(rate)))
    }

    @Test(arguments: [8, 16, 24, 32])
    func integersOfEveryDepthComeOutAsTheyAre(bits: Int) throws {
        let studio = try Studio()
        let width = bits / 8
        let values = (0..<48_000).map { Int32(truncatingIfNeeded: $0 &* 2_654_435_761) >> Int32(32 - min(bits, 24)) }
        // Left as it is, right its complement.
        let left = values.flatMap { value in
            let shifted = value << Int32(bits - min(bits, 24))
            return (0..<width).map { UInt8(truncatingIfNeeded: shifted >> Int32(8 * $0)) }
        }
        let right = [UInt8](repeating: 0, count: left.count)
        let buffer = SampleBuffer(
            nonInterleaved: [left, right], bitDepth: bits, sampleRate: 48_000, presentationTime: .zero)
        try studio.renderer.enqueue(#require(buffer))
        try studio.synchronizer.setRate(1, time: .zero)
        let sound = try studio.render(40_000)
        let scale = Float(sign: .plus, exponent: 1 - min(bits, 24), significand: 1)
        #expect(sound.indices.allSatisfy { sound[$0] == Float(values[$0]) * scale })
    }

    @Test func channelsThatLieApartAreInterleavedAndMonoIsHeardOnBothSides() throws {
        let left = (0..<24_000).map { sine($0, 48_000) }
        let stereo = SampleBuffer(
            nonInterleaved: [left, left.map { -$0 }], sampleRate: 48_000, presentationTime: .zero)
        let mono = SampleBuffer(
            interleaved: left, channelCount: 1, sampleRate: 48_000, presentationTime: frame(24_000))
        let studio = try Studio()
        try studio.renderer.enqueue(#require(stereo))
        try studio.renderer.enqueue(#require(mono))
        try studio.synchronizer.setRate(1, time: .zero)
        let block = try studio.output.render(44_000)
        for index in 0..<44_000 {
            let wanted = left[index % 24_000]
            #expect(block.samples[2 * index] == wanted)
            #expect(block.samples[2 * index + 1] == (index < 24_000 ? -wanted : wanted))
        }
        #expect(SampleBuffer(nonInterleaved: [[1, 2], [1]], sampleRate: 48_000, presentationTime: .zero) == nil)
        let odd = SampleBuffer(interleaved: [1, 2, 3], channelCount: 2, sampleRate: 48_000, presentationTime: .zero)
        #expect(odd == nil)
        #expect(
            SampleBuffer(nonInterleaved: [[0, 0]], bitDepth: 12, sampleRate: 48_000, presentationTime: .zero) == nil)
    }

    /// The packets of a second of the sine from `second` on.
    private func packets(
        _ codec: AudioFormat.Codec, rate: Int, second: Int, bitDepth: Int
    ) throws -> [SampleBuffer] {
        let encoder = try Codecs.makeEncoder(codec: codec, sourceRate: rate, channels: 2, bitDepth: bitDepth)
        let samples = (second * rate..<(second + 1) * rate).flatMap { [sine($0, rate), sine($0, rate)] }
        var time = MediaTime(frame: Int64(second), sampleRate: 1)
        return try (encoder.encode(samples) + encoder.finish()).map { packet in
            let buffer = try #require(
                SampleBuffer(
                    format: encoder.format, presentationTime: time, frameCount: packet.frameCount,
                    trimAtStart: packet.trimAtStart, trimAtEnd: packet.trimAtEnd, data: packet.data))
            time += buffer.duration
            return buffer
        }
    }

    /// FLAC at 44.1 kHz, integers at 48 kHz, FLAC at 96 kHz, Opus: one after the other, the sine goes on.
    @Test func mixedFormatsFollowOneAnotherWithoutAGap() throws {
        let studio = try Studio(depth: .seconds(10))
        let buffers =
            try packets(.flac, rate: 44_100, second: 0, bitDepth: 24)
            + packets(.pcm, rate: 48_000, second: 1, bitDepth: 16)
            + packets(.flac, rate: 96_000, second: 2, bitDepth: 24)
            + packets(.opus, rate: 48_000, second: 3, bitDepth: 16)
        for buffer in buffers { try studio.renderer.enqueue(buffer) }
        studio.renderer.finishMediaData()
        try studio.synchronizer.setRate(1, time: .zero)
        let sound = try studio.render(4 * 48_000 + 4_800)
        for (second, tolerance) in [(0, Float(0.001)), (1, 0.001), (2, 0.001), (3, 0.05)] {
            // Half a frame at a seam of rates is heard twice or not at all.
            let frames = second * 48_000 + 400..<(second + 1) * 48_000 - 400
            let worst = frames.map { abs(sound[$0] - sine($0, 48_000)) }.max() ?? 1
            #expect(worst < tolerance, "second \(second): \(worst)")
        }
        for seam in [48_000, 96_000, 144_000] {
            let worst = (seam - 400..<seam + 400).map { abs(sound[$0] - sine($0, 48_000)) }.max() ?? 1
            #expect(worst < 0.06, "seam at \(seam): \(worst)")
        }
        #expect(sound[(4 * 48_000 + 400)...].allSatisfy { $0 == 0 })
    }

    @Test(arguments: [8_000, 11_025, 22_050, 88_200, 176_400, 192_000])
    func everyRateIsPlayed(rate: Int) throws {
        let studio = try Studio()
        let samples = (0..<2 * rate).flatMap { [sine($0, rate), sine($0, rate)] }
        let half = samples.count / 2
        for (index, part) in [samples[..<half], samples[half...]].enumerated() {
            let buffer = SampleBuffer(
                interleaved: Array(part), channelCount: 2, sampleRate: rate,
                presentationTime: MediaTime(frame: Int64(index), sampleRate: 1))
            try studio.renderer.enqueue(#require(buffer))
        }
        try studio.synchronizer.setRate(1, time: .zero)
        let sound = try studio.render(90_000)
        let worst = (2_000..<90_000).map { abs(sound[$0] - sine($0, 48_000)) }.max() ?? 1
        #expect(worst < 0.002, "\(worst)")
    }
}
