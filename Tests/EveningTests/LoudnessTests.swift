import Foundation
import Testing

/// Equal loudness through the real programs.
@Suite("Loudness") struct LoudnessTests {
    @Test("files are measured once, and a group plays them equally loud from then on")
    func evening() throws {
        let evening = try Evening()
        defer { evening.end() }
        try Data("no sound".utf8).write(to: URL(filePath: evening.folder + "/broken.flac"))
        let first = try evening.tutti("loudness", "{song.wav}", "{gong.wav}")
        #expect(first.code == 0 && first.output.contains("song.wav\n"), "\(first)")
        let second = try evening.tutti("loudness", "{song.wav}", "{gong.wav}")
        #expect(second.code == 0 && second.output.contains("song.wav  known\n"), "\(second)")
        let json = try evening.tutti("loudness", "{song.wav}", "--json")
        #expect(json.code == 0 && json.output.contains(#""known":true"#), "\(json)")
        let broken = try evening.tutti("loudness", "{broken.flac}", "{song.wav}")
        #expect(
            broken.code == 1 && broken.errors.contains("broken.flac") && broken.output.contains("known"), "\(broken)")
        #expect(try evening.tutti("loudness", "-").code == 2)

        #expect(try evening.tutti("normalise", "album").code == 5)
        #expect(try evening.tutti("play", "{long.wav}", "--room", "{kitchen}", "--detach").code == 0)
        #expect(try evening.tutti("normalise").output == "off\n")
        #expect(try evening.tutti("normalize", "track").code == 0)
        #expect(try evening.tutti("normalise").output == "track\n")
        #expect(try evening.tutti("status").output.contains("normalise track"))
        #expect(try evening.tutti("normalise", "loud").code == 2)
        // The group keeps it, stopped or with something else to play.
        #expect(try evening.tutti("play", "{song.wav}", "--room", "{kitchen}", "--detach").code == 0)
        #expect(try evening.tutti("normalise").output == "track\n")
        #expect(try evening.tutti("stop").code == 0)
        #expect(try evening.tutti("play", "{long.wav}", "--room", "{kitchen}", "--detach").code == 0)
        #expect(try evening.tutti("normalise").output == "track\n")
        let chosen = ["play", "{long.wav}", "--room", "{kitchen}", "--detach", "--normalise", "off"]
        #expect(try evening.tutti(chosen).code == 0)
        #expect(try evening.tutti("normalise").output == "off\n")
    }
}
