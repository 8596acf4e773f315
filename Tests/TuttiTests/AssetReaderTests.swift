import Foundation
import TestSupport
import Testing
import Tutti

/// Files as sample buffers.
@Suite struct AssetReaderTests {
    struct Coding: Sendable, CustomTestStringConvertible {
        let file: String
        let rate: Int
        let codec: AudioFormat.Codec
        let options: [String]
        /// The most by which the sound may be off, of half of full scale.
        let tolerance: Float
        var testDescription: String { file }

        init(_ file: String, _ rate: Int, _ codec: AudioFormat.Codec, _ tolerance: Float, _ options: String...) {
            (self.file, self.rate, self.codec, self.options) = (file, rate, codec, options)
            self.tolerance = tolerance
        }
    }

    /// One after the other, a second and a bit each.
    static let codings = [
        // Without what makes ffmpeg's encoder begin badly.
        Coding("1.m4a", 44_100, .aac, 0.05, "-c:a", "aac", "-b:a", "320k", "-aac_tns", "0", "-aac_is", "0"),
        Coding("2.mp3", 48_000, .mp3, 0.05, "-c:a", "libmp3lame", "-b:a", "256k"),
        Coding("3.m4a", 44_100, .alac, 0.002, "-c:a", "alac", "-sample_fmt", "s16p"),
        Coding("4.flac", 96_000, .flac, 0.002, "-c:a", "flac", "-sample_fmt", "s32"),
        Coding("5.opus", 48_000, .opus, 0.05, "-c:a", "libopus", "-b:a", "256k"),
        Coding("6.ogg", 44_100, .vorbis, 0.05, "-c:a", "libvorbis", "-q:a", "8"),
        Coding("7.wav", 22_050, .float32, 0.02, "-c:a", "pcm_u8"),
        Coding("8.wav", 192_000, .pcm, 0.002, "-c:a", "pcm_s24le"),
        Coding("9.aiff", 8_000, .pcm, 0.01, "-c:a", "pcm_s16be"),
        Coding("10.wav", 88_200, .pcm, 0.002, "-c:a", "pcm_s32le"),
        Coding("11.wav", 32_000, .float32, 0.002, "-c:a", "pcm_f32le"),
    ]
    /// Length of a piece in seconds: whole frames at every rate, and no codec's whole packets.
    static let length = 1.2

    /// A sound that rises from 200 Hz by 60 Hz a second.
    static func chirp(_ seconds: Double) -> Float {
        Float(0.5 * sin(2 * .pi * (200 + 30 * seconds) * seconds))
    }

    private func reader(_ index: Int, in shop: Workshop, form: AssetReader.Form = .packets) throws -> AssetReader {
        let coding = Self.codings[index]
        let start = Double(index) * Self.length
        let frames = Int((Self.length * Double(coding.rate)).rounded())
        let samples = (0..<frames).map { Self.chirp(start + Double($0) / Double(coding.rate)) }
        let path = try shop.encode(samples, sampleRate: coding.rate, to: coding.file, coding.options)
        return try AssetReader(path, form: form, startingAt: milliseconds(index * 1_200))
    }

    @Test(.enabled(if: OutsideTool.hasFFmpeg), arguments: [AssetReader.Form.packets, .samples])
    func filesOfAllKindsPlayOneAfterTheOtherWithoutAGap(form: AssetReader.Form) throws {
        let shop = try Workshop()
        let studio = try Studio(depth: .seconds(60))
        for index in Self.codings.indices {
            let reader = try reader(index, in: shop, form: form)
            #expect(reader.nextPresentationTime == milliseconds(index * 1_200))
            while let buffer = try reader.next() {
                if form == .packets { #expect(buffer.format.codec == Self.codings[index].codec) }
                try studio.renderer.enqueue(buffer)
            }
            #expect(reader.nextPresentationTime == milliseconds((index + 1) * 1_200))
        }
        studio.renderer.finishMediaData()
        let end = Self.codings.count * 1_200
        #expect(studio.renderer.loadedTimeRanges == [TimeRange(start: .zero, end: milliseconds(end))])
        try studio.synchronizer.setRate(1, time: .zero)
        let sound = try studio.render(end * 48 + 4_800)
        let errors = (0..<end * 48).map { abs(sound[$0] - Self.chirp(Double($0) / 48_000)) }
        for (index, coding) in Self.codings.enumerated() {
            let frames = index * 57_600 + 480..<(index + 1) * 57_600 - 480
            let worst = errors[frames].max() ?? 1
            #expect(worst < coding.tolerance, "\(coding.file): \(worst)")
        }
        for seam in 1..<Self.codings.count {
            // One filter rings out where the other rings in: within some frames of the coarser rate.
            let lower = min(Self.codings[seam - 1].rate, Self.codings[seam].rate)
            let count = errors[seam * 57_600 - 480..<seam * 57_600 + 480].count { $0 > 0.06 }
            #expect(count <= 4 * 48_000 / lower, "\(count) after \(Self.codings[seam - 1].file)")
        }
        #expect(sound[(end * 48 + 480)...].allSatisfy { $0 == 0 })
    }

    @Test(.enabled(if: OutsideTool.hasFFmpeg), arguments: [0, 1, 2, 4, 5, 8])
    func aSeekIsExact(index: Int) throws {
        let shop = try Workshop()
        let reader = try reader(index, in: shop)
        let start = milliseconds(index * 1_200)
        for offset in [700, 0, 330, 1_100] {
            try reader.seek(to: start + milliseconds(offset))
            let studio = try Studio(depth: .seconds(60))
            let first = try #require(try reader.next())
            #expect(first.presentationTime == start + milliseconds(offset))
            try studio.renderer.enqueue(first)
            while let buffer = try reader.next() { try studio.renderer.enqueue(buffer) }
            studio.renderer.finishMediaData()
            try studio.synchronizer.setRate(1, time: start + milliseconds(offset))
            let frames = (1_200 - offset) * 48
            let sound = try studio.render(frames)
            let zero = Double(index) * Self.length + Double(offset) / 1_000
            let worst = (480..<frames - 480).map { abs(sound[$0] - Self.chirp(zero + Double($0) / 48_000)) }.max() ?? 1
            #expect(worst < Self.codings[index].tolerance, "from \(offset): \(worst)")
        }
        try reader.seek(to: start + milliseconds(5_000))
        #expect(try reader.next() == nil)
        try reader.seek(to: .zero)
        #expect(try reader.next()?.presentationTime == start)
    }

    @Test(.enabled(if: OutsideTool.hasFFmpeg)) func whatIsKnownOfAFileIsTold() throws {
        let shop = try Workshop()
        let reader = try reader(3, in: shop)
        #expect(reader.duration == milliseconds(1_200) && reader.sampleRate == 96_000 && reader.title == nil)
        let renderer = AudioRenderer(route: try OfflineOutput().route)
        renderer.requestMediaData { try? reader.next() }
        renderer.stopRequestingMediaData()
        reader.cancel()
        #expect(throws: PlaybackError.self) { try reader.next() }
    }

    @Test func whatCannotBeReadIsAnErrorThatNamesIt() throws {
        let shop = try Workshop()
        try Data("no sound".utf8).write(to: URL(fileURLWithPath: shop.path("text.wav")))
        for name in ["missing.flac", "text.wav"] {
            #expect {
                try AssetReader(shop.path(name))
            } throws: { error in
                guard case .media(let text)? = error as? PlaybackError else { return false }
                return text.contains(name)
            }
        }
    }
}
