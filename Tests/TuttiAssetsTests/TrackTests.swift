import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore

@Suite("Tracks and chapters of a film", .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct TrackTests {
    private let shop: Workshop

    init() throws { shop = try Workshop() }

    private func film(_ name: String = "film.mkv", _ change: (inout TrackFilm) -> Void = { _ in }) throws -> AssetInput
    {
        var film = TrackFilm()
        film.seconds = 6
        change(&film)
        return AssetInput(uri: try film.make(name, in: shop.folder))
    }

    /// The places in the film that the samples tell, frame by frame: negative ones in the English track.
    private func places(_ asset: Asset) throws -> [Double] {
        let samples = try asset.readAll()
        return stride(from: 0, to: samples.count, by: 2).map { Double(samples[$0]) * 100 }
    }

    private static let close = 2e-5

    @Test("are listed with languages, titles and codings")
    func listing() throws {
        let input = try film()
        try shop.write("1\n00:00:01,000 --> 00:00:02,000\nHi\n".utf8, to: "film.fr.forced.srt")
        let info = try Asset.open(input).info
        let tracks = try #require(info.tracks)
        #expect(tracks.audio.map(\.language) == ["ger", "eng"])
        #expect(tracks.audio.map(\.title) == [nil, "Original"])
        #expect(tracks.audio.map(\.codec) == ["pcm_s24le", "pcm_s24le"])
        #expect(tracks.audio.map(\.channelCount) == [2, 2])
        #expect(tracks.audio.map(\.isDefault) == [true, false])
        #expect(tracks.audioIndex == 0)
        #expect(tracks.subtitles.map(\.language) == ["ger", "eng", "fr"])
        #expect(tracks.subtitles.map(\.id) == (try SubtitleTrack.tracks(of: input).map(\.id)))
        #expect(tracks.chapters.map(\.title) == ["Arrival", "Dinner"])
        #expect(tracks.chapters.map(\.start.seconds) == [0, 5])
        #expect(info.title == "The Guest" && tracks.isPlausible && info.isPlausible)
        let written = try JSONDecoder().decode(AssetInfo.self, from: JSONEncoder().encode(info))
        #expect(written == info)
    }

    @Test("are not listed for music")
    func music() throws {
        try shop.writeWAV("song.wav", frames: 4_410)
        #expect(try Asset.open(AssetInput(uri: shop.path("song.wav"))).info.tracks == nil)
    }

    @Test(
        "are chosen by number and language",
        arguments: [
            ("auto", 0), ("1", 0), ("2", 1), ("3", 0), ("en", 1), ("eng", 1), ("en-GB", 1), ("deu", 0), ("fr", 0),
        ])
    func choice(text: String, index: Int) throws {
        let asset = try Asset.open(try film(), choice: try TrackChoice(parsing: text, of: .audio))
        #expect(asset.info.tracks?.audioIndex == index)
        let sign = index == 1 ? -1.0 : 1
        let places = try places(asset)
        #expect(places.count == 6 * 48_000)
        #expect(places.enumerated().allSatisfy { abs($1 - sign * Double($0) / 48_000) < Self.close })
    }

    @Test(
        "keep their places in the film, wherever they begin",
        arguments: [(0.0, 0.4), (0.4, 0.0), (0.4, 0.4), (0.0, 1.5)], [48_000, 44_100])
    func begins(begins: (Double, Double), rate: Int) throws {
        let input = try film { film in
            film.begins = begins
            film.rates.english = rate
        }
        let asset = try Asset.open(input, choice: .language("en"))
        #expect(asset.info.sampleRate == rate)
        /// What is to be heard from a place of the asset on.
        func agrees(_ places: [Double], from start: Double) -> Bool {
            places.enumerated().allSatisfy { index, place in
                let time = begins.0 + start + Double(index) / Double(rate)
                return abs(place - (time < begins.1 - 1e-6 ? 0 : -time)) < 3e-5
            }
        }
        let whole = try places(asset)
        #expect(abs(Double(whole.count) / Double(rate) - (6 - begins.0)) < 0.001)
        #expect(agrees(whole, from: 0))
        for start in [2, 0.1, 1, 0, 3.5] {
            try asset.seek(to: MediaTime(frame: Int64(start * 1_000), sampleRate: 1_000))
            let place = asset.currentTime.seconds
            #expect(abs(place - start) < 1e-4)
            let rest = try places(asset)
            #expect(agrees(rest, from: place), "from \(start)")
        }
        // Whichever track plays, the film is as long, and its chapters are at the same places.
        let suggested = try Asset.open(input).info
        #expect(abs(try #require(asset.info.duration).seconds - #require(suggested.duration).seconds) < 0.001)
        #expect(asset.info.tracks?.chapters == suggested.tracks?.chapters)
    }

    @Test("begin with silence as packets too")
    func packets() throws {
        let input = try film { film in
            film.begins.english = 1.5
            film.sound = ["-c:a", "flac", "-sample_fmt", "s32"]
        }
        let asset = try Asset.open(input, choice: .number(2))
        let frames = try asset.readAll().count / 2
        try asset.seek(to: MediaTime(frame: 1, sampleRate: 2))
        _ = try #require(try asset.startPackets())
        var (silent, audible) = (0, 0)
        while let step = try asset.readPacket() {
            switch step {
            case .packet(let packet): audible += packet.audibleFrameCount
            case .silence(let frames): silent += frames
            case .unsuitable: Issue.record("these packets can travel")
            }
        }
        #expect(silent == 48_000)
        #expect(audible == frames - 72_000)
    }

    @Test("of a part of a file are those of the part")
    func part() throws {
        var input = try film()
        (input.start, input.end) = (MediaTime(frame: 2, sampleRate: 1), MediaTime(frame: 5, sampleRate: 1))
        let asset = try Asset.open(input, choice: .language("en"))
        #expect(asset.info.duration == MediaTime(frame: 3, sampleRate: 1))
        #expect(asset.info.tracks?.chapters.map(\.title) == ["Arrival"])
        #expect(asset.info.tracks?.chapters.map(\.start) == [.zero])
        let places = try places(asset)
        #expect(places.count == 3 * 48_000)
        #expect(places.enumerated().allSatisfy { abs($1 + 2 + Double($0) / 48_000) < Self.close })
    }

    @Test("that cannot be decoded give way to what the film suggests")
    func undecodable() throws {
        let input = try film { $0.options = ["-ac:a:1", "16", "-c:a:1", "pcm_s16le"] }
        let asset = try Asset.open(input, choice: .number(2))
        #expect(asset.info.tracks?.audio.map(\.channelCount) == [2, 16])
        #expect(asset.info.tracks?.audioIndex == 0)
        #expect(try places(asset).allSatisfy { $0 >= 0 })
    }

    @Test("are bounded, and so are their titles")
    func bounds() throws {
        let title = "\u{202E}" + String(repeating: "long ", count: 400)
        let input = try film { film in
            film.chapters = (0..<300).map { (Double($0) / 100, "\($0) " + title) }
            film.options = ["-metadata:s:a:0", "title=" + title, "-metadata:s:a:0", "language=nonsense at all"]
        }
        let info = try Asset.open(input).info
        let tracks = try #require(info.tracks)
        #expect(tracks.chapters.count == MediumTracks.maximumChapters)
        let titles = tracks.chapters.compactMap(\.title) + tracks.audio.compactMap(\.title)
        #expect(titles.allSatisfy { $0.count <= MediumTracks.maximumTitle && !$0.contains("\n") })
        #expect(!titles.contains { $0.unicodeScalars.contains("\u{202E}") })
        #expect(tracks.audio[0].language == nil && info.isPlausible)
    }

    @Test("that were tampered with in a record are not plausible")
    func tampered() {
        let track = AudioTrack(id: 1, codec: "aac", channelCount: 2)
        let chapter = Chapter(start: .zero)
        #expect(MediumTracks(audio: [track], audioIndex: 0, chapters: [chapter]).isPlausible)
        #expect(!MediumTracks(audio: [track], audioIndex: 1).isPlausible)
        #expect(!MediumTracks(audio: [track], audioIndex: -1).isPlausible)
        #expect(!MediumTracks(audio: Array(repeating: track, count: 65)).isPlausible)
        #expect(!MediumTracks(audio: [], chapters: Array(repeating: chapter, count: 257)).isPlausible)
        let late = Chapter(start: MediaTime(frame: 1, sampleRate: 1))
        #expect(!MediumTracks(audio: [], chapters: [late, chapter]).isPlausible)
        #expect(!MediumTracks(audio: [], chapters: [Chapter(start: -late.start)]).isPlausible)
    }

    @Test("suggest subtitles that are forced in the language of the sound, else the default ones")
    func suggestion() {
        func subtitle(_ id: Int, _ language: String?, isDefault: Bool = false, isForced: Bool = false) -> SubtitleTrack
        {
            SubtitleTrack(
                id: .stream(id), codec: .subRip, language: language, isDefault: isDefault, isForced: isForced)
        }
        let german = AudioTrack(id: 0, language: "ger", codec: "aac", channelCount: 2)
        var tracks = MediumTracks(
            audio: [german], audioIndex: 0,
            subtitles: [
                subtitle(1, "deu"), subtitle(2, "eng", isForced: true), subtitle(3, "deu", isForced: true),
                subtitle(4, "fre", isDefault: true),
            ])
        #expect(tracks.subtitles(chosenBy: .automatic) == .stream(3))
        #expect(tracks.subtitles(chosenBy: .language("de")) == .stream(1))
        #expect(tracks.subtitles(chosenBy: .number(2)) == .stream(2))
        #expect(tracks.subtitles(chosenBy: .number(5)) == nil)
        #expect(tracks.subtitles(chosenBy: .off) == nil)
        #expect(tracks.subtitles(chosenBy: .file("/x.srt")) == .file("/x.srt"))
        tracks.audioIndex = nil
        #expect(tracks.subtitles(chosenBy: .automatic) == .stream(4))
        tracks.subtitles.removeLast()
        #expect(tracks.subtitles(chosenBy: .automatic) == nil)
    }
}
