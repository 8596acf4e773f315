import Testing
import Tutti

/// Pictures beside sound, as fast as they can be made.
@Suite struct OfflineVideoTests {
    /// Sound, and pictures of 25 a second on the same synchronizer.
    private struct Lab {
        let studio: Studio
        let video: VideoRenderer

        init(sampleRate: Int = 48_000) throws {
            studio = try Studio(sampleRate: sampleRate)
            video = VideoRenderer(clock: studio.output.clock)
            try studio.synchronizer.addRenderer(video)
        }

        func enqueue(_ pictures: Range<Int>, side: Int = 2) throws {
            for picture in pictures { try video.enqueue(try OfflineVideoTests.frame(picture, side: side)) }
        }

        /// What comes of `frameCount` frames in blocks of so many, and when each picture is seen.
        func render(_ frameCount: Int, by step: Int) throws -> (sound: [Float], pictures: [[Int64]]) {
            var (sound, pictures): ([Float], [[Int64]]) = ([], [])
            while sound.count < frameCount {
                let start = studio.output.sampleTime
                let block = try studio.output.render(min(step, frameCount - sound.count), with: video)
                #expect(!block.lacksPictures)
                if block.lacksPictures { break }
                #expect(studio.output.sampleTime == start + Int64(block.sound.frameCount))
                #expect(block.pictures.allSatisfy { (start..<studio.output.sampleTime).contains($0.sampleTime) })
                sound += stride(from: 0, to: block.sound.samples.count, by: 2).map { block.sound.samples[$0] }
                pictures += block.pictures.map { [$0.frame.presentationTime.frame(at: 25), $0.sampleTime] }
            }
            return (sound, pictures)
        }
    }

    /// From which frames on pictures are seen at rate 1 from the first frame on.
    private static func samples(_ pictures: Range<Int>) -> [Int64] { pictures.map { Int64($0 * 1_920) } }

    private static func frame(_ picture: Int, side: Int = 2) throws -> VideoFrame {
        try #require(
            VideoFrame(
                pixelFormat: .gray, width: side, height: side,
                presentationTime: MediaTime(frame: Int64(picture), sampleRate: 25),
                planes: [[UInt8](repeating: 9, count: side * side)]))
    }

    /// Brings pictures as they are asked for, `count` in all, of which every one is seen for so many 25ths of a second.
    private final class Source: Sendable {
        private let next = Counter()

        var asked: Int { next.count }

        func feed(_ video: VideoRenderer, count: Int, each: Int = 1, side: Int = 2) {
            video.requestMediaDataWhenReady {
                while video.isReadyForMoreMediaData {
                    let picture = self.next.take()
                    guard picture < count else {
                        video.stopRequestingMediaData()
                        return video.finishMediaData()
                    }
                    try? video.enqueue(OfflineVideoTests.frame(picture * each, side: side))
                }
            }
        }
    }

    @Test(arguments: [480, 4_800, 7_777, 48_000])
    func everyPictureComesAtItsFrameWhateverTheBlocks(_ step: Int) throws {
        let lab = try Lab()
        let material = Material()
        for second in 0..<5 {
            try lab.studio.renderer.enqueue(material.buffer(second * 48_000..<(second + 1) * 48_000))
        }
        Source().feed(lab.video, count: 100)
        try lab.studio.synchronizer.setRate(1, time: .zero)
        let (sound, pictures) = try lab.render(48_000 * 5, by: step)
        #expect(pictures == (0..<100).map { (picture: Int64) in [picture, picture * 1_920] })
        // The sound is that of a call without pictures.
        #expect(sound.indices.allSatisfy { sound[$0] == material.sample($0) })
        #expect(lab.video.performance.droppedFrames == 0)
    }

    @Test func aLackingPictureIsWaitedFor() throws {
        let lab = try Lab()
        let output = lab.studio.output
        try lab.studio.synchronizer.setRate(1, time: .zero)
        // Nothing is known of the first frame.
        let nothing = try output.render(4_800, with: lab.video)
        #expect(nothing.lacksPictures && nothing.sound.frameCount == 0 && output.sampleTime == 0)
        try lab.enqueue(0..<11)
        let block = try output.render(48_000, with: lab.video)
        // The last one that is known to be seen is the one before the last.
        #expect(block.lacksPictures && block.pictures.map(\.sampleTime) == Self.samples(0..<10))
        #expect((9 * 1_920...10 * 1_920).contains(block.sound.frameCount))
        #expect(try output.render(48_000, with: lab.video).sound.frameCount == 0)
        try lab.enqueue(11..<30)
        lab.video.finishMediaData()
        let rest = try output.render(96_000, with: lab.video)
        #expect(!rest.lacksPictures && rest.sound.frameCount == 96_000)
        #expect(rest.pictures.map(\.sampleTime) == Self.samples(10..<30))
        #expect(lab.video.performance.droppedFrames == 0 && lab.video.performance.shownFrames == 30)
    }

    @Test func aRendererWithoutPicturesHoldsNothingUp() throws {
        let lab = try Lab()
        lab.video.finishMediaData()
        try lab.studio.synchronizer.setRate(1, time: .zero)
        let block = try lab.studio.output.render(48_000, with: lab.video)
        #expect(block.sound.frameCount == 48_000 && block.pictures.isEmpty && !block.lacksPictures)
        #expect(try lab.studio.output.render(0, with: lab.video).sound.frameCount == 0)
    }

    @Test func pausesJumpsAndRatesAreSeenAtTheirFrames() throws {
        let lab = try Lab()
        let (output, synchronizer) = (lab.studio.output, lab.studio.synchronizer)
        try lab.enqueue(0..<250)
        lab.video.finishMediaData()
        try synchronizer.setRate(1, time: .zero)
        try synchronizer.setRate(0, atHostTime: output.hostTime(ofFrame: 10_000))
        #expect(try lab.render(20_000, by: 5_000).pictures.map { $0[1] } == Self.samples(0..<6))
        // A jump to what is held, at a frame of its own.
        try synchronizer.setRate(
            1.5, time: MediaTime(frame: 100, sampleRate: 25), atHostTime: output.hostTime(ofFrame: 25_000))
        let pictures = try lab.render(48_000, by: 48_000).pictures
        for (index, picture) in pictures.enumerated() {
            #expect(picture == [Int64(100 + index), Int64(25_000 + index * 1_280)])
        }
        #expect(pictures.count == 34 && lab.video.performance.droppedFrames == 0)
        // What was removed is not seen.
        lab.video.flushAndRemoveImage()
        lab.video.finishMediaData()
        #expect(try lab.render(48_000, by: 4_800).pictures.isEmpty)
    }

    @Test func manyLargePicturesEndABlock() throws {
        let lab = try Lab()
        // 12 MB each where all planes are counted as large.
        Source().feed(lab.video, count: 100, side: 2_000)
        try lab.studio.synchronizer.setRate(1, time: .zero)
        let block = try lab.studio.output.render(48_000 * 4, with: lab.video)
        #expect(!block.lacksPictures && block.sound.frameCount < 48_000 * 4)
        #expect((2...34).contains(block.pictures.count))
        let rest = try lab.studio.output.render(48_000 * 4 - block.sound.frameCount, with: lab.video)
        #expect(rest.pictures.count == block.pictures.count)
    }

    @Test func aSlowShowAsksForWhatTheDecoderNeeds() throws {
        let lab = try Lab()
        let source = Source()
        source.feed(lab.video, count: 100, each: 250)
        try lab.studio.synchronizer.setRate(1, time: .zero)
        let seen = try lab.render(48_000 * 35, by: 48_000).pictures.map { $0[0] }
        #expect(seen == [0, 250, 500, 750])
        #expect(source.asked < 10)
    }

    @Test func whatCannotBeRenderedIsRefused() throws {
        let lab = try Lab(sampleRate: 8_000)
        #expect(throws: PlaybackError.otherClock) { try OfflineOutput().render(1, with: lab.video) }
        #expect(throws: PlaybackError.self) { try lab.studio.output.render(-1, with: lab.video) }
        // At the lowest rate too.
        try lab.enqueue(0..<50)
        lab.video.finishMediaData()
        try lab.studio.synchronizer.setRate(1, time: .zero)
        #expect(try lab.render(16_000, by: 8_000).pictures.map { $0[1] } == (0..<50).map { Int64($0 * 320) })
    }
}
