import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiSchema
import TuttiSender
import TuttiWire

/// What a live source says that it plays, on its way to people and screens.
@Suite(.serialized) struct LiveTagTests {
    /// The titles that a screen is to show, in the order of time.
    private static func titles(_ screen: FakeSpeaker) -> [String] {
        var titles: [(start: MediaTime, title: String)] = []
        for caption in screen.inspect({ $0.captions }) {
            switch caption {
            case .end(let time): titles.removeAll { $0.start >= time }
            case .card(let card, let range): titles.append((range.start, card.title))
            case .cue: break
            }
        }
        return titles.map(\.title)
    }

    @Test("It is shown with the input's name beside it, and on screens with its picture")
    func shown() async throws {
        let scratch = try Scratch()
        let path = scratch.path + "/phono"
        let picture = scratch.path + "/cover"
        // Nothing decodes it; a screen gets a black one then.
        try Data([0xFF, 0xD8, 0xFF, 0xE0]).write(to: URL(fileURLWithPath: picture))
        let source = LiveAddress.Source.pipe(path: path)
        let board = StreamTagBoard()
        board[source] = StreamTags(title: "One", artist: "A")
        let screen = try await FakeSpeaker(
            "tv", pictureCodecs: ["h264", "mjpeg"], features: Welcome.allFeatures + [Welcome.captionsFeature])
        let harness = try PlayerHarness(["pipe:\(path)?latency=200ms"], [screen.room], tags: board)
        let writer = Writer(path)
        _ = try await harness.run { player in
            writer.start()
            defer { writer.stop() }
            func item() async -> PlayerStatus.Item? { await player.status().item }
            try await eventually("what was said before") {
                let item = await item()
                return item?.title == "One" && item?.artist == "A" && item?.station == "phono"
            }
            // What is said before there is sound takes the place of that.
            try await eventually("sound") { await player.status().position > 1 }
            board[source] = StreamTags(title: "Two", album: "B", artwork: picture)
            try await eventually("what is said then") {
                let item = await item()
                return item?.title == "Two" && item?.artist == nil && item?.album == "B" && item?.artwork == picture
            }
            if OutsideTool.hasFFmpeg {
                try await eventually("both titles on the screen") { Self.titles(screen) == ["One", "Two"] }
                try await eventually("a picture for each") { screen.inspect { $0.pictures.count } == 2 }
            }
            board[source] = nil
            try await eventually("nothing any more") {
                let item = await item()
                return item?.title == "phono" && item?.station == nil && item?.artwork == nil
            }
            await player.stop()
        }
    }

    /// Writes a tone to a named pipe, as fast as it is taken.
    private final class Writer: Sendable {
        private let path: String
        private let isOver = Atomic(false)

        init(_ path: String) {
            self.path = path
            mkfifo(path, 0o600)
        }

        func start() {
            Thread.detachNewThread { [self] in
                let descriptor = open(path, O_RDWR | O_NONBLOCK)
                let tone = (0..<960).flatMap { frame -> [UInt8] in
                    let value = UInt16(bitPattern: Int16(8_000 * sin(Double(frame) * 0.13)))
                    let bytes = [UInt8(value & 0xFF), UInt8(value >> 8)]
                    return bytes + bytes
                }
                while !isOver.load(ordering: .relaxed) {
                    if write(descriptor, tone, tone.count) < 0 { usleep(5_000) }
                }
                close(descriptor)
            }
        }

        func stop() { isOver.store(true, ordering: .relaxed) }
    }
}
