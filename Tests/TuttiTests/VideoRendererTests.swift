import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import Tutti

/// Pictures and sound on one timeline.
@Suite struct VideoRendererTests {
    /// Sound, pictures of 25 a second, and what is seen of them.
    private struct Theatre {
        let studio: Studio
        let video: VideoRenderer
        let screen: VideoScreen

        init() throws {
            studio = try Studio()
            screen = VideoScreen(clock: studio.output.clock)
            video = VideoRenderer(clock: studio.output.clock, sink: screen)
            try studio.synchronizer.addRenderer(video)
        }

        func time(_ picture: Int) -> MediaTime { MediaTime(frame: Int64(picture), sampleRate: 25) }

        func enqueue(_ pictures: Range<Int>) throws {
            for picture in pictures { try video.enqueue(try VideoRendererTests.frame(time(picture))) }
        }

        /// Whether the picture is seen that should be, to within 5 ns.
        var isRight: Bool {
            let time = studio.synchronizer.currentTime.seconds
            return [-5e-9, 5e-9].contains { screen.seen == self.time(max(Int((time + $0) * 25), 0)) }
        }

        /// Renders so many frames of sound, and looks at the screen after each thousand.
        func play(_ frames: Int) throws {
            for _ in 0..<frames / 1_000 {
                _ = try studio.render(1_000)
                #expect(isRight)
            }
        }
    }

    /// A gray picture of 2 × 2 pixels.
    private static func frame(_ time: MediaTime) throws -> VideoFrame {
        try #require(
            VideoFrame(pixelFormat: .gray, width: 2, height: 2, presentationTime: time, planes: [[0, 1, 2, 3]]))
    }

    @Test func picturesAreInStepWithSound() throws {
        let theatre = try Theatre()
        let material = Material()
        for second in 0..<4 {
            try theatre.studio.renderer.enqueue(material.buffer(second * 48_000..<(second + 1) * 48_000))
        }
        try theatre.enqueue(0..<100)
        let begin = theatre.studio.output.hostTime(ofFrame: 12_345)
        try theatre.studio.synchronizer.setRate(1, time: .zero, atHostTime: begin)
        _ = try theatre.studio.render(12_345)
        let sound = try theatre.studio.render(48_000 * 3)
        #expect(sound.indices.allSatisfy { sound[$0] == material.sample($0) })
        // The first one was seen before.
        let shown = theatre.screen.showings
        #expect(shown.count == 77 && shown.first.map { $0.time == .zero && $0.instant < begin } == true)
        for (picture, showing) in shown.enumerated().dropFirst() {
            #expect(showing.time == theatre.time(picture))
            let instant = begin.nanoseconds + Int64(picture) * 40_000_000
            #expect((0...2).contains(showing.instant.nanoseconds - instant))
        }
        #expect(theatre.video.performance.droppedFrames == 0 && theatre.video.status == .rendering)
        #expect(
            theatre.studio.synchronizer.videoRenderers.count == 1 && theatre.studio.synchronizer.renderers.count == 1)
    }

    @Test func pausesStandAndSeeksAreSeenInThem() throws {
        let theatre = try Theatre()
        try theatre.enqueue(0..<200)
        try theatre.studio.synchronizer.setRate(1, time: .zero)
        _ = try theatre.studio.render(480)
        try theatre.play(50_000)
        try theatre.studio.synchronizer.setRate(0)
        _ = try theatre.studio.render(480)
        let standing = theatre.screen.seen
        try theatre.play(50_000)
        #expect(theatre.screen.seen == standing)
        // To a place that is held, and to one that is not.
        try theatre.studio.synchronizer.setRate(0, time: theatre.time(120))
        _ = try theatre.studio.render(480)
        #expect(theatre.screen.seen == theatre.time(120))
        try theatre.studio.synchronizer.setRate(0, time: theatre.time(1_010))
        theatre.video.flush()
        _ = try theatre.studio.render(480)
        #expect(theatre.screen.seen == theatre.time(120))
        try theatre.enqueue(1_000..<1_100)
        _ = try theatre.studio.render(480)
        #expect(theatre.screen.seen == theatre.time(1_010))
        try theatre.studio.synchronizer.setRate(1.5)
        _ = try theatre.studio.render(480)
        try theatre.play(48_000)
        #expect(theatre.video.performance.droppedFrames == 0)
    }

    @Test func whatWasHandedOutTooEarlyIsTakenBack() throws {
        let theatre = try Theatre()
        try theatre.enqueue(0..<100)
        try theatre.studio.synchronizer.setRate(1, time: .zero)
        _ = try theatre.studio.render(24_000)
        // Pictures of the next 60 ms are out by now.
        let now = theatre.studio.output.clock.now()
        #expect(theatre.screen.showings.contains { $0.instant > now })
        try theatre.studio.synchronizer.setRate(0, atHostTime: now)
        _ = try theatre.studio.render(480)
        #expect(!theatre.screen.showings.contains { $0.instant > now })
        #expect(theatre.screen.seen == theatre.time(12))
        theatre.video.flushAndRemoveImage()
        _ = try theatre.studio.render(480)
        #expect(theatre.screen.seen == nil)
    }

    @Test func aClientIsAskedAsTimeGoesOn() throws {
        let theatre = try Theatre()
        let next = Mutex(0)
        let (video, time) = (theatre.video, theatre.time)
        video.requestMediaDataWhenReady {
            while video.isReadyForMoreMediaData {
                let picture = next.withLock { count in
                    defer { count += 1 }
                    return count
                }
                guard picture < 500 else { return video.stopRequestingMediaData() }
                try? video.enqueue(VideoRendererTests.frame(time(picture)))
            }
        }
        _ = try theatre.studio.render(480)
        #expect((50...52).contains(next.withLock { $0 }))
        try theatre.studio.synchronizer.setRate(1, time: .zero)
        _ = try theatre.studio.render(480)
        try theatre.play(480_000)
        #expect((300...304).contains(next.withLock { $0 }))
    }

    @Test func aRendererLeavesAtAMediaTime() throws {
        let theatre = try Theatre()
        try theatre.enqueue(0..<100)
        try theatre.studio.synchronizer.setRate(1, time: .zero)
        _ = try theatre.studio.render(4_800)
        #expect(theatre.studio.synchronizer.removeRenderer(theatre.video, at: theatre.time(10)))
        _ = try theatre.studio.render(48_000)
        #expect(theatre.screen.seen == theatre.time(9))
        #expect(!theatre.studio.synchronizer.removeRenderer(theatre.video))
        #expect(theatre.studio.synchronizer.videoRenderers.isEmpty)
        // It may join again, and shows where the programme stands.
        try theatre.studio.synchronizer.addRenderer(theatre.video)
        _ = try theatre.studio.render(480)
        #expect(theatre.isRight)
        #expect(throws: PlaybackError.alreadyAttached) {
            try RenderSynchronizer(clock: theatre.studio.output.clock).addRenderer(theatre.video)
        }
        #expect(throws: PlaybackError.otherClock) { try RenderSynchronizer().addRenderer(theatre.video) }
    }

    @Test(.enabled(if: OutsideTool.hasFFmpeg)) func codedPicturesAreDecodedAndDamagedOnesCounted() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-video-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try OutsideTool.run(
            [
                "ffmpeg", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25", "-frames:v", "50", "-f", "image2",
                "\(folder)/%d.jpg",
            ]
        )
        let format = try #require(VideoFormat(codec: .mjpeg, width: 64, height: 48))
        let pictures = try (0..<50).map { picture in
            var data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(picture + 1).jpg")))
            if picture == 20 { data = [UInt8](repeating: 7, count: 100) }
            let time = MediaTime(frame: Int64(picture), sampleRate: 25)
            return try #require(VideoSampleBuffer(format: format, presentationTime: time, isSync: true, data: data))
        }
        let studio = try Studio()
        let screen = VideoScreen(clock: studio.output.clock)
        let video = try VideoListings.show(pictures, on: screen, with: studio.synchronizer)
        video.finishMediaData()
        try studio.synchronizer.setRate(1, time: .zero)
        _ = try studio.render(96_000)
        let times = pictures.map(\.presentationTime)
        #expect(screen.showings.compactMap(\.time) == Array(times[..<20]) + Array(times[21...]))
        #expect(video.performance.damagedFrames == 1 && video.status == .rendering)
    }

    @Test func picturesThatCannotBeTaken() throws {
        let theatre = try Theatre()
        #expect(throws: PlaybackError.negativeTime(theatre.time(-1))) {
            try theatre.video.enqueue(Self.frame(theatre.time(-1)))
        }
        #expect(VideoFormat(codec: .h264, width: 0, height: 5) == nil)
        #expect(VideoFormat(codec: .h264, width: 16_384, height: 16_384) == nil)
        let planes = [[UInt8](repeating: 1, count: 15), [2, 2, 3, 3, 4, 4], [5, 5, 6, 6, 7, 7]]
        func picture(_ planes: [[UInt8]]) -> VideoFrame? {
            VideoFrame(pixelFormat: .yuv420, width: 3, height: 5, presentationTime: .zero, planes: planes)
        }
        #expect(picture(Array(planes[..<2])) == nil && picture([planes[0], planes[1], [5]]) == nil)
        let chroma = try #require(picture(planes)).withPlane(2) { plane in
            (plane.bytesPerRow, plane.bytes.load(fromByteOffset: 3, as: UInt8.self))
        }
        #expect(chroma == (2, 6))
        #expect(PixelAspectRatio(horizontalSpacing: 0, verticalSpacing: 1) == nil)
    }
}
