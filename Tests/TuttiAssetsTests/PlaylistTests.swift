import Foundation
import Testing
import TuttiAssets
import TuttiCore

@Suite("Folders, playlists and cue sheets")
struct PlaylistTests {
    @Test func foldersInNaturalOrderWithoutHiddenFilesAndCycles() throws {
        let shop = try Workshop()
        for name in ["m/10.wav", "m/2.wav", "m/a/3.FLAC", "m/.x.wav", "m/.h/1.wav", "m/t.txt", "m/Track 1.mp3"] {
            try shop.write([1], to: name)
        }
        try FileManager.default.createSymbolicLink(
            atPath: shop.path("m/a/loop"), withDestinationPath: shop.path("m"))
        let names = try InputResolver.resolve([shop.path("m")]).map { $0.uri.replacing(shop.path("m") + "/", with: "") }
        #expect(names == ["2.wav", "10.wav", "a/3.FLAC", "Track 1.mp3"])
    }

    @Test func anEmptyFolderIsRefused() throws {
        let shop = try Workshop()
        #expect(throws: AssetError.nothingToPlay(shop.folder.path)) { try InputResolver.resolve([shop.folder.path]) }
    }

    @Test func m3uWithMarkTitlesAndRelativePaths() throws {
        let shop = try Workshop()
        let text = "\u{FEFF}#EXTM3U\r\n#EXTINF:12,Björk - Jóga\r\nsub/a.flac\r\n\r\n/abs/b.mp3\nhttp://h/c.ogg\n"
        let list = try shop.write(text.utf8, to: "l.m3u8")
        let inputs = try InputResolver.resolve([list])
        #expect(inputs.map(\.uri) == [shop.path("sub/a.flac"), "/abs/b.mp3", "http://h/c.ogg"])
        #expect(inputs.map(\.title) == ["Björk - Jóga", nil, nil])
    }

    @Test func m3uInLatin1() throws {
        let shop = try Workshop()
        let list = try shop.write(Array("#EXTINF:1,J".utf8) + [0xF3] + Array("ga\nx.mp3".utf8), to: "l.m3u")
        #expect(try InputResolver.resolve([list]).first?.title == "Jóga")
    }

    @Test func pls() throws {
        let shop = try Workshop()
        let list = try shop.write(
            "[playlist]\nFile2=b.mp3\nFile1=a.mp3\nTitle1=First\nNumberOfEntries=2\n".utf8, to: "l.pls")
        let inputs = try InputResolver.resolve([list])
        #expect(inputs.map(\.uri) == [shop.path("a.mp3"), shop.path("b.mp3")])
        #expect(inputs.first?.title == "First")
    }

    @Test func aListThatNamesItselfEnds() throws {
        let shop = try Workshop()
        let list = try shop.write("l.m3u\n".utf8, to: "l.m3u")
        #expect(throws: AssetError.self) { try InputResolver.resolve([list]) }
    }

    @Test func aCueSheetCutsItsFileIntoPiecesThatJoinWithoutASeam() throws {
        let shop = try Workshop()
        let samples = try shop.writeWAV("disc.wav", frames: 100_000).map { Float($0) / 32_768 }
        let sheet = """
            PERFORMER "Band"
            TITLE "Disc"
            FILE "disc.wav" WAVE
              TRACK 01 AUDIO
                TITLE "One"
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                TITLE "Two"
                PERFORMER "Guest"
                INDEX 00 00:00:70
                INDEX 01 00:01:05
            """
        let inputs = try InputResolver.resolve([try shop.write(sheet.utf8, to: "disc.cue")])
        #expect(inputs.map(\.title) == ["One", "Two"])
        #expect(inputs.map(\.artist) == ["Band", "Guest"])
        #expect(inputs.map(\.track) == [1, 2])
        #expect(inputs.last?.start == MediaTime(value: 80, timescale: 75))
        let assets = try inputs.map { try Asset.open($0) }
        #expect(assets.first?.info.duration == MediaTime(value: 80, timescale: 75))
        #expect(assets.first?.info.album == "Disc")
        let parts = try assets.map { try $0.readAll() }
        #expect(parts.first?.count == 80 * 588 * 2)
        #expect(parts.flatMap { $0 } == samples)
        try assets[1].seek(to: MediaTime(frame: 100, sampleRate: 44_100))
        #expect(try assets[1].read(maximumFrames: 50)?.samples == Array(samples[(47_140 * 2)..<(47_190 * 2)]))
    }

    @Test func whatACueSheetSaysOfItsTracks() throws {
        let text = """
            REM GENRE "Chamber Music"
            REM DATE 1999-03
            REM DISCNUMBER 2
            REM REPLAYGAIN_ALBUM_GAIN -6.00 dB
            REM COMMENT nothing
            PERFORMER "Band"
            SONGWRITER "Writer"
            TRACK 09 AUDIO
              TITLE "Of no file"
            TITLE "Disc"
            FILE "a b.wav" WAVE
              TRACK 01 AUDIO
                TITLE Bare
                REM COMPOSER "Bach"
                REM REPLAYGAIN_TRACK_GAIN +2.00 dB
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                TITLE "Without a place"
              TRACK 03 AUDIO
                INDEX 01 00:02:00
            """
        let sheet = CueSheet(bytes: Array(text.utf8))
        // What stands behind a track without a file is of that one.
        #expect(sheet.title == nil && sheet.performer == "Band" && sheet.album.composer == "Writer")
        #expect(sheet.album.genre == "Chamber Music" && sheet.album.year == 1999 && sheet.album.disc == 2)
        #expect(sheet.tracks.map(\.number) == [1, 3] && sheet.tracks.map(\.file) == ["a b.wav", "a b.wav"])
        #expect(sheet.tracks.map(\.title) == ["Bare", nil] && sheet.tracks[0].words.composer == "Bach")
        #expect(sheet.end(ofTrack: 0) == MediaTime(value: 150, timescale: 75) && sheet.end(ofTrack: 1) == nil)
        #expect(
            sheet.loudness(ofTrack: 0) == TrackLoudness(track: .init(integrated: -20), album: .init(integrated: -12)))
        #expect(sheet.loudness(ofTrack: 1).track == nil && sheet.loudness(ofTrack: 7) == TrackLoudness())
        #expect(!sheet.isCut && CueSheet(bytes: []).tracks.isEmpty)
        let latin = Array("TITLE \"".utf8) + [0xC9, 0x74, 0xFC, 0x64, 0x65] + Array("\"\n".utf8)
        #expect(CueSheet(bytes: latin).title == "Étüde")
        let many = "FILE x WAVE\n" + String(repeating: "TRACK 1 AUDIO\nINDEX 01 00:00:00\n", count: 10_001)
        #expect(CueSheet(bytes: Array(many.utf8)).isCut && CueSheet(bytes: Array(many.utf8)).tracks.count == 10_000)
    }

    @Test func rawFormats() throws {
        #expect(
            try RawFormat(parsing: "48000:16:2") == RawFormat(sampleRate: 48_000, sample: .signed16, channelCount: 2))
        #expect(try RawFormat(parsing: "96000:F32:1").sample == .float32)
        for text in [
            "", "48000:16", "48000:17:2", "4000:16:2", "48000:16:9", "48000:16:2:1", "x:16:2",
            "99999999999999999999:16:2",
        ] {
            #expect(throws: AssetError.badRawFormat(text)) { try RawFormat(parsing: text) }
        }
    }

    @Test func missingFilesStayInTheListAndNumbersSortByValue() throws {
        #expect(try InputResolver.resolve(["none.flac", "-"]).map(\.uri) == ["none.flac", "-"])
    }
}
