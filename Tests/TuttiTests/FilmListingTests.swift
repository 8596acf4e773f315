import Foundation
import Synchronization
import TestSupport
import Testing
import Tutti

/// What docs/library.md shows of films works, and `VideoAssetReader`, on which it builds.
@Suite(.serialized, .repeatedWhenDisturbed, .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct FilmListingTests {
    /// Runs `body` with a film of so many seconds and a folder for more.
    private func visit(seconds: Double, _ body: (_ film: String, _ folder: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let sound = folder + "/sound.wav"
        try PlayerStage.wave(7, seconds: seconds).write(to: URL(fileURLWithPath: sound))
        try await body(try NumberedFilm.make("film.mkv", in: folder, seconds: seconds, sound: sound), folder)
    }

    /// Sound and pictures on an offline output.
    private struct Lab {
        let studio: Studio
        let video: VideoRenderer

        init() throws {
            studio = try Studio()
            video = VideoRenderer(clock: studio.output.clock)
            try studio.synchronizer.addRenderer(video)
        }
    }

    @Test func renderingAFilmFasterThanItPlays() async throws {
        try await visit(seconds: 12) { film, _ in
            let lab = try Lab()
            try VideoListings.play(film, lab.studio.renderer, lab.video)
            try lab.studio.synchronizer.setRate(1, time: .zero)
            var (sound, pictures): ([Float], [OfflinePicture]) = ([], [])
            let begin = ContinuousClock.now
            try VideoListings.render(lab.studio.output, lab.video, seconds: 12) { block, new in
                sound += stride(from: 0, to: block.samples.count, by: 2).map { block.samples[$0] }
                pictures += new
            }
            #expect(ContinuousClock.now - begin < .seconds(12))
            #expect(sound == PlayerStage.samples(7, seconds: 12))
            #expect(pictures.map { NumberedFilm.number(of: $0.frame) } == Array(0..<300))
            #expect(pictures.map(\.sampleTime) == (0..<300).map { Int64($0 * 1_920) })
            #expect(lab.video.performance.droppedFrames == 0)
        }
    }

    @Test func theRightPictureAfterASeekAndAtAnotherRate() async throws {
        try await visit(seconds: 12) { film, _ in
            let lab = try Lab()
            let (output, synchronizer) = (lab.studio.output, lab.studio.synchronizer)
            let reader = try VideoAssetReader(film)
            // 6.1 s lies between two sync pictures.
            let place = MediaTime(frame: 61, sampleRate: 10)
            try reader.seek(to: place)
            lab.video.requestMediaData { try? reader.next() }
            try synchronizer.setRate(1.5, time: place)
            let block = try output.render(96_000, with: lab.video)
            let numbers = block.pictures.compactMap { NumberedFilm.number(of: $0.frame) }
            // From the picture of 6.08 s to that of 9.1 s.
            #expect(numbers == Array(152...227) && block.sound.frameCount == 96_000)
            for (number, picture) in zip(numbers, block.pictures).dropFirst() {
                let due = (Double(number) / 25 - 6.1) / 1.5 * 48_000
                #expect(abs(Double(picture.sampleTime) - due) <= 1)
            }
        }
    }

    @Test func aFilmInAWindowOfTheProgram() async throws {
        try await visit(seconds: 5) { film, folder in
            var configuration = QueuePlayer.Configuration()
            configuration.stateDirectory = folder + "/state"
            let output = VideoOutput()
            let player = try await VideoListings.play(
                film, in: [.local(device: "null")], drawing: output, configuration)
            var numbers: [Int] = []
            try await eventually("the film is over") {
                VideoListings.refresh(output, at: PlaybackClock.system.now()) { frame in
                    if let number = NumberedFilm.number(of: frame), number != numbers.last { numbers.append(number) }
                }
                return numbers.last.map { $0 >= 124 } ?? false
            }
            // A refresh each 10 ms misses few of them on a busy machine, and none comes twice or early.
            #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count && numbers.count > 90)
            await player.stop()
            try await eventually("nothing is seen") { output.frame(atHostTime: PlaybackClock.system.now()) == nil }
        }
    }

    @Test func readingPictures() async throws {
        try await visit(seconds: 3) { film, folder in
            let reader = try VideoAssetReader(film, startingAt: MediaTime(frame: 5, sampleRate: 1))
            #expect(reader.format.codec == .h264 && reader.frameRate == 25)
            var times: [MediaTime] = []
            while let picture = try reader.next() { times.append(picture.presentationTime) }
            #expect(times.sorted() == (125..<200).map { MediaTime(frame: $0, sampleRate: 25) })
            try reader.seek(to: MediaTime(frame: 13, sampleRate: 2))
            let first = try #require(try reader.next())
            #expect(first.isSync && first.presentationTime == MediaTime(frame: 6, sampleRate: 1))
            reader.cancel()
            #expect(throws: PlaybackError.self) { while try reader.next() != nil {} }
            for wrong in [folder + "/sound.wav", folder + "/none.mkv"] {
                #expect(throws: PlaybackError.self) { try VideoAssetReader(wrong) }
            }
        }
    }

    @Test func picturesOfASequenceAndOnesThatAreRefused() async throws {
        try await visit(seconds: 3) { film, _ in
            let lab = try Lab()
            let reader = try VideoAssetReader(film)
            var pictures: [VideoSampleBuffer] = []
            while let picture = try reader.next() { pictures.append(picture) }
            let (stream, continuation) = AsyncStream<VideoSampleBuffer>.makeStream()
            lab.video.requestMediaData(from: stream)
            for picture in pictures { continuation.yield(picture) }
            continuation.finish()
            try lab.studio.synchronizer.setRate(1, time: .zero)
            var numbers: [Int] = []
            // The sequence is read on a task, some time after it is asked for.
            try await eventually("all pictures have come") {
                let block = try? lab.studio.output.render(4_800, with: lab.video)
                numbers += block?.pictures.compactMap { NumberedFilm.number(of: $0.frame) } ?? []
                return numbers.count >= 75
            }
            #expect(numbers == Array(0..<75) && lab.video.performance.droppedFrames == 0)
            let refused = try #require(
                VideoSampleBuffer(
                    format: reader.format, presentationTime: MediaTime(frame: -1, sampleRate: 25), isSync: true,
                    data: [1]))
            let asked = Counter()
            lab.video.flush()
            lab.video.requestMediaData {
                asked.take()
                return refused
            }
            _ = try lab.studio.output.render(48_000)
            #expect(asked.count == 1 && lab.video.error == .negativeTime(refused.presentationTime))
        }
    }
}
