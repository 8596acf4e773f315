import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore

@Suite("Servers as they are: what plays, and how often they are asked")
struct ServerMannerTests {
    private static let frames = 100_000
    private static let wav = Workshop.wav(Workshop.sound(frames: frames, channels: 2), rate: 44_100, channels: 2)
    /// What programs use, twenty times as quick.
    private static let policy: ReconnectPolicy = {
        var policy = ReconnectPolicy()
        policy.filePauses = policy.filePauses.map { $0 / 20 }
        policy.livePauses = policy.livePauses.map { $0 / 20 }
        policy.goodSeconds /= 20
        policy.silence /= 20
        policy.patience /= 20
        policy.playlistSeconds /= 20
        return policy
    }()

    /// What comes of playing from such a server: frames, requests, and how it ended.
    private struct Course: Equatable {
        var frames = 0
        var requests = 0
        var failure: String?
    }

    /// Where samples differ from those of the file; nil where they are its beginning.
    private static func firstDifference(_ samples: [Float]) -> Int? {
        zip(samples, Workshop.sound(frames: frames, channels: 2)).enumerated()
            .first { $0.element.0 != Float($0.element.1) / 32_768 }?.offset
    }

    private func play(_ manner: RadioServer.Manner) throws -> (course: Course, samples: [Float]) {
        let server = try RadioServer(manner, body: Self.wav, type: "audio/x-wav")
        let address = server.address("sound.wav")
        var samples: [Float] = []
        var course = Course()
        do throws(AssetError) {
            let asset = try Asset.open(AssetInput(uri: address), policy: Self.policy)
            while let block = try asset.read(maximumFrames: 4_096) { samples += block.samples }
        } catch {
            course.failure = "\(error)".replacing(address + ": ", with: "")
        }
        (course.frames, course.requests) = (samples.count / 2, server.requests)
        return (course, samples)
    }

    @Test("What a station sends next is wherever it is asked for: nobody waits until it has sent so much")
    func shifted() throws {
        let server = try RadioServer(.station(titles: ["One"]), body: Self.wav, type: "audio/x-wav")
        let asset = try Asset.open(AssetInput(uri: server.address("live")), policy: Self.policy)
        #expect(asset.info.isEndless)
        let place = MediaTime(frame: 3_600, sampleRate: 1)
        try asset.seek(to: place)
        #expect(asset.currentTime == place)
        let block = try #require(try asset.read(maximumFrames: 1_000))
        #expect(Self.firstDifference(block.samples) == nil)
        #expect(asset.currentTime == place + MediaTime(frame: Int64(block.samples.count / 2), sampleRate: 44_100))
        #expect(server.requests == 1)
    }

    @Test(
        "A whole file comes whole, by one request",
        arguments: [RadioServer.Manner.whole(ranges: false), .withoutLength, .chunked])
    func whole(manner: RadioServer.Manner) throws {
        let (course, samples) = try play(manner)
        #expect(course == Course(frames: Self.frames, requests: 1))
        #expect(Self.firstDifference(samples) == nil)
    }

    @Test(
        "A file that is cut off once is taken up where it broke",
        arguments: [RadioServer.Manner.cutOff(ranges: true, times: 2), .cutOff(ranges: false, times: 2), .silent])
    func resumed(manner: RadioServer.Manner) throws {
        let (course, samples) = try play(manner)
        #expect(course.frames == Self.frames && course.failure == nil, "\(course)")
        #expect(course.requests <= 3, "\(course)")
        #expect(Self.firstDifference(samples) == nil)
    }

    @Test("A file that is always cut off is given up", arguments: [true, false])
    func givenUp(ranges: Bool) throws {
        let (course, samples) = try play(.cutOff(ranges: ranges, times: .max))
        #expect(course.frames > Self.frames / 3 && course.frames < Self.frames)
        // Where it can, the reader of WAV looks behind the sound first.
        #expect(course.requests == (ranges ? 6 : 5))
        let half = Self.wav.count / 2 / 4 * 4
        #expect(course.failure == "the server closed the connection after \(half) of \(Self.wav.count) bytes, 5 times")
        #expect(Self.firstDifference(samples) == nil)
    }

    @Test func aBrokenConnectionWithoutALengthIsAFailureAndNoNewBeginning() throws {
        let (course, _) = try play(.reset)
        #expect(course.requests == 1 && course.failure == "the server reset the connection", "\(course)")
    }

    @Test(
        "What cannot be played is asked for no oftener than needed",
        arguments: [
            (RadioServer.Manner.status(404), 1, "no such file or address"),
            (.status(500), 1, "the server answered HTTP 5xx"),
            (.redirects, 9, "the request failed (a TLS error, or too many redirects)"),
            (.endlessHead, 1, "no answer in time"),
        ])
    func refused(manner: RadioServer.Manner, requests: Int, words: String) throws {
        let begin = ContinuousClock.now
        let (course, _) = try play(manner)
        #expect(course == Course(frames: 0, requests: requests, failure: words))
        #expect(begin.duration(to: .now) < .seconds(10))
    }

    // MARK: Stations

    /// Two seconds of MP3 without a header that would tell how much there is.
    private static func mp3() throws -> [UInt8] {
        let shop = try Workshop()
        try shop.writeWAV("a.wav", frames: 88_200)
        try shop.run(
            "ffmpeg", "-v", "error", "-i", "a.wav", "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0", "a.mp3")
        return [UInt8](try Data(contentsOf: shop.folder.appendingPathComponent("a.mp3")))
    }

    @Test(
        "A station that ends is joined again, so often and no oftener; its titles come with its sound",
        .enabled(if: OutsideTool.has("ffmpeg"), "ffmpeg is not installed"))
    func station() throws {
        let server = try RadioServer(.station(titles: ["One - Dawn", "Two - Noon"]), body: try Self.mp3())
        let asset = try Asset.open(AssetInput(uri: server.address("live")), policy: Self.policy)
        #expect(asset.info.title == "Loopback FM" && asset.info.duration == nil)
        var titles: [String?] = []
        var failure: AssetError?
        do throws(AssetError) {
            while try asset.read(maximumFrames: 4_096) != nil {
                if titles.last != asset.streamTitle { titles.append(asset.streamTitle) }
            }
        } catch {
            failure = error
        }
        #expect(server.requests == 1 + Self.policy.livePauses.count)
        #expect(titles.compactMap { $0 }.prefix(3) == ["One - Dawn", "Two - Noon", "One - Dawn"], "\(titles)")
        #expect("\(try #require(failure))".contains("the station stopped sending"))
    }

    // MARK: Playlists

    private func resolve(_ manner: RadioServer.Manner, _ body: String) throws -> (result: [String], requests: Int) {
        let server = try RadioServer(manner, body: Array(body.utf8), type: "audio/x-mpegurl")
        do throws(AssetError) {
            let inputs = try InputResolver.resolve([server.address("list.m3u")], policy: Self.policy)
            return (inputs.map(\.uri), server.requests)
        } catch {
            return (["\(error)".replacing(server.address("list.m3u") + ": ", with: "")], server.requests)
        }
    }

    @Test(
        "A playlist is asked for once",
        arguments: [RadioServer.Manner.whole(ranges: true), .whole(ranges: false), .withoutLength, .chunked])
    func playlist(manner: RadioServer.Manner) throws {
        let lines = (0..<200).map { "http://127.0.0.1/\($0).mp3" }
        let (result, requests) = try resolve(manner, lines.joined(separator: "\n"))
        #expect(result == lines && requests == 1)
    }

    @Test(
        "A playlist that does not come whole is none",
        arguments: [
            (
                RadioServer.Manner.cutOff(ranges: true, times: .max),
                "the server closed the connection in the middle of the playlist"
            ),
            (.cutOff(ranges: false, times: .max), "the server closed the connection in the middle of the playlist"),
            (.silent, "no answer in time"), (.endlessHead, "no answer in time"),
            (.endlessBody, "the playlist never ends; if it is a stream, its name should not end in .m3u or .pls"),
            (.status(500), "the server answered HTTP 5xx"),
        ])
    func badPlaylist(manner: RadioServer.Manner, words: String) throws {
        let begin = ContinuousClock.now
        let (result, requests) = try resolve(manner, String(repeating: "http://127.0.0.1/a.mp3\n", count: 500))
        #expect(result == [words] && requests == 1)
        #expect(begin.duration(to: .now) < .seconds(10))
    }

    @Test func listsThatAListLeadsToTakeNoLongerThanOne() throws {
        // Each list of the four levels in time, all of them not.
        let (result, requests) = try resolve(.slow(300), "list.m3u\nlist.m3u")
        #expect(result == ["no answer in time"] && (2...3).contains(requests))
    }

    // MARK: Words

    @Test func aNameThatIsNotKnownIsSaid() {
        #expect(throws: AssetError.network("http://none.invalid/a.mp3", reason: "no such host: none.invalid")) {
            try Asset.open(AssetInput(uri: "http://none.invalid/a.mp3"))
        }
    }

    @Test(
        "An MP4 with its index at the end says why it does not play from there",
        .enabled(if: OutsideTool.has("ffmpeg"), "ffmpeg is not installed"))
    func mp4() throws {
        let shop = try Workshop()
        try shop.writeWAV("a.wav", frames: 100_003)
        try shop.run("ffmpeg", "-v", "error", "-i", "a.wav", "-c:a", "alac", "a.m4a")
        let bytes = [UInt8](try Data(contentsOf: shop.folder.appendingPathComponent("a.m4a")))
        let server = try RadioServer(.whole(ranges: false), body: bytes, type: "audio/mp4")
        #expect {
            try Asset.open(AssetInput(uri: server.address("a.m4a"))).readAll()
        } throws: { "\($0)".contains("an MP4 file with its index at the end cannot be played from a server") }
    }
}
