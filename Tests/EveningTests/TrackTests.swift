import Foundation
import TestSupport
import Testing

/// Tracks and chapters of films through the real programs.
@Suite("Tracks", .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed")) struct TrackTests {
    @Test("are listed and chosen, and a choice survives a restart of the service")
    func evening() throws {
        let evening = try Evening()
        defer { evening.end() }
        var film = TrackFilm()
        film.seconds = 90
        film.chapters = [(0, "Arrival"), (30, "Dinner"), (60, "Departure")]
        let path = try film.make("film.mkv", in: URL(fileURLWithPath: evening.folder))
        #expect(try evening.tutti("audio").code == 5)
        #expect(try evening.tutti("play", path, "--room", "{kitchen}", "--audio-track", "7x").code == 2)
        #expect(try evening.tutti("play", path, "--room", "{kitchen}", "--subtitle", "none.srt").code == 3)
        #expect(
            try evening.tutti(
                "play", path, "--room", "{kitchen}", "--detach", "--audio-track", "en", "--subtitle", "off"
            ).code == 0)
        #expect(
            try evening.tutti("audio").output
                == "  1  ger  pcm_s24le, 2 channels  (default)\n* 2  eng  pcm_s24le, 2 channels  Original\n")
        #expect(try evening.tutti("subtitle").output == "* off\n  1  ger  subrip\n  2  eng  subrip\n")
        #expect(
            try evening.tutti("chapter").output == "* 1  0:00  Arrival\n  2  0:30  Dinner\n  3  1:00  Departure\n")
        #expect(try evening.tutti("audio", "1").code == 0)
        #expect(try evening.tutti("subtitle", "de").code == 0)
        #expect(try evening.tutti("chapter", "3").code == 0)
        #expect(try evening.tutti("chapter").output.contains("* 3  1:00  Departure\n"))
        let status = try evening.tutti("status", "--json").output
        #expect(status.contains(#""audioTrack":"1""#) && status.contains(#""subtitle":"de""#), "\(status)")

        // What is wrong changes nothing.
        for words in ["audio 3", "audio fr", "subtitle fr", "subtitle none.srt", "chapter 4"] {
            let outcome = try evening.tutti(words.split(separator: " ").map(String.init))
            #expect(outcome.code == 3 && !outcome.errors.isEmpty, "\(words): \(outcome)")
        }
        for words in ["audio off", "audio film.srt", "subtitle german", "chapter last"] {
            #expect(try evening.tutti(words.split(separator: " ").map(String.init)).code == 2, "\(words)")
        }
        #expect(try evening.tutti("subtitle", "words.srt").code == 0)
        #expect(try evening.tutti("subtitle").output.hasSuffix("* -  -  subrip  \(evening.folder)/words.srt\n"))

        evening.killService()
        try evening.serve()
        #expect(try evening.tutti("audio").output.hasPrefix("* 1"))
        #expect(try evening.tutti("status").output.contains("audio track 1"))
        // Stopped and resumed, it is as it was.
        #expect(try evening.tutti("stop").code == 0)
        #expect(try evening.tutti("audio", "en").code == 0)
        #expect(try evening.tutti("play").code == 0)
        #expect(try evening.tutti("audio").output.contains("* 2"))
    }
}
