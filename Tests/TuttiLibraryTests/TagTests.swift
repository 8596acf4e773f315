import Foundation
import Testing
import TuttiAssets
import TuttiCore

@Suite("Tags of files, read without decoding")
struct TagTests {
    let shop: MusicShop

    init() throws { shop = try MusicShop() }

    @Test("all tags of a FLAC file")
    func flac() throws {
        try shop.flac(
            "a.flac",
            [
                "TITLE": "Allegro", "ARTIST": "Brendel", "ALBUMARTIST": "Mozart", "ALBUM": "Sonatas",
                "TRACKNUMBER": "3/12", "DISCNUMBER": "2", "DATE": "1975-03-14", "GENRE": "Classical",
                "COMPOSER": "W. A. Mozart", "WORK": "KV 331", "COMPILATION": "1",
                "REPLAYGAIN_TRACK_GAIN": "-5.00 dB", "REPLAYGAIN_TRACK_PEAK": "1.0",
            ], seconds: 75, picture: 100)
        let tags = try AssetTags.read(shop.path("a.flac"))
        #expect(tags.title == "Allegro")
        #expect(tags.artist == "Brendel")
        #expect(tags.albumArtist == "Mozart")
        #expect(tags.album == "Sonatas")
        #expect(tags.track == 3)
        #expect(tags.disc == 2)
        #expect(tags.year == 1975)
        #expect(tags.genre == "Classical")
        #expect(tags.composer == "W. A. Mozart")
        #expect(tags.work == "KV 331")
        #expect(tags.isCompilation)
        #expect(tags.duration == MediaTime(value: 75, timescale: 1))
        #expect(tags.loudness?.track?.integrated == -13)
        #expect(tags.artworkBytes == 100)
        #expect(tags.hasArtwork && !tags.isGuessed)
    }

    @Test("an MP3 file whose length no header tells")
    func mp3() throws {
        try shop.write(
            MadeFile.mp3([
                ("TIT2", Array("Song".utf8)), ("TPE1", Array("Band".utf8)), ("TPE2", Array("Label".utf8)),
                ("TPOS", Array("1/2".utf8)), ("TYER", Array("1999".utf8)), ("TCMP", Array("1".utf8)),
            ]), "a.mp3")
        let tags = try AssetTags.read(shop.path("a.mp3"))
        #expect(tags.title == "Song")
        #expect(tags.albumArtist == "Label")
        #expect(tags.disc == 1)
        #expect(tags.year == 1999)
        #expect(tags.isCompilation)
        #expect(abs((tags.duration?.seconds ?? 0) - 9.93) < 0.2)
    }

    @Test("texts that are not UTF-8 are taken for Windows-1252")
    func encodings() throws {
        try shop.write(MadeFile.flac(["TITLE": [0x4B, 0xFC, 0x63, 0x68, 0x65], "ARTIST": Array("ok".utf8)]), "a.flac")
        let tags = try AssetTags.read(shop.path("a.flac"))
        #expect(tags.title == "Küche")
        #expect(tags.artist == "ok")
        #expect(tags.isGuessed)
    }

    @Test("numbers and years out of range are none", arguments: ["0", "-3", "99999999999999999999", "x", "10000"])
    func numbers(text: String) throws {
        try shop.flac("a.flac", ["TRACKNUMBER": text, "DISCNUMBER": text, "DATE": text])
        let tags = try AssetTags.read(shop.path("a.flac"))
        #expect(tags.track == nil)
        #expect(tags.disc == nil)
        #expect(tags.year == nil || text == "10000" && tags.year == 1000)
    }

    @Test("a picture that is too large is said, and not kept")
    func hugePicture() throws {
        try shop.flac("a.flac", ["TITLE": "t"], picture: 9 << 20)
        let tags = try AssetTags.read(shop.path("a.flac"))
        #expect(tags.title == "t")
        #expect(tags.hasHugeArtwork && !tags.hasArtwork)
    }

    @Test("what is no music throws")
    func noMusic() throws {
        try shop.write(Array("hello, this is a text of no kind of music at all".utf8), "a.mp3")
        try shop.write([], "b.flac")
        try shop.write(Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 1, count: 4_000), "c.mp3")
        for name in ["a.mp3", "b.flac", "c.mp3", "none.flac"] {
            #expect(throws: AssetError.self) { try AssetTags.read(shop.path(name)) }
        }
        #expect(throws: AssetError.self) { try AssetTags.read(shop.music.path) }
    }

    @Test("damaged files do no harm, and texts are one line")
    func damage() throws {
        var random = SystemRandomNumberGenerator()
        let whole = MadeFile.flac(
            ["TITLE": Array("A title".utf8), "ALBUM": Array("An album".utf8), "DATE": Array("2001".utf8)], picture: 50)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try shop.write(bytes, "a.flac")
            guard let tags = try? AssetTags.read(shop.path("a.flac")) else { continue }
            for text in [tags.title, tags.album, tags.artist].compactMap(\.self) {
                #expect(text.unicodeScalars.allSatisfy { $0.value >= 32 })
            }
        }
    }
}
