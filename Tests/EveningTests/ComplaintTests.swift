import Foundation
import Testing

/// What the service says of an alarm that will not play.
@Suite("Complaints")
struct ComplaintTests {
    @Test("an alarm that will not play is one line of the log, however many groups play, and reaches viewers")
    func once() throws {
        let evening = try Evening()
        defer { evening.end() }
        try FileManager.default.copyItem(atPath: evening.folder + "/gong.wav", toPath: evening.folder + "/soon.wav")
        try evening.expect(
            done("play", "{long.wav}", "--room", "{kitchen}", "--detach"),
            done("play", "{long.wav}", "--room", "{bath}", "--detach"),
            // It is checked again a minute before.
            done("at", "in 62s", "play", "{soon.wav}", "--room", "{bedroom}"))
        try FileManager.default.removeItem(atPath: evening.folder + "/soon.wav")
        let watched = try evening.run(
            "/bin/sh", ["-c", "tutti watch --json --group bath | grep --line-buffered -m 1 'will not play'"])
        #expect(watched.output.contains("soon.wav"), "\(watched)")
        // Whoever hears of it late would write now.
        usleep(500_000)
        let lines = evening.log("serve").split(separator: "\n").filter { $0.contains("will not play") }
        #expect(lines.count == 1, "\(evening.log("serve"))")
    }
}
