import Foundation
import Glibc
import TestSupport
import Testing

/// Inputs whose bytes come only once: to look whether they can be played takes nothing of them.
@Suite("Inputs that can be had once")
struct OnceTests {
    @Test("a server is asked once, whoever plays", arguments: [["--detach"], ["--standalone"]])
    func server(_ option: [String]) throws {
        let evening = try Evening()
        defer { evening.end() }
        let body = [UInt8](try Data(contentsOf: URL(fileURLWithPath: evening.folder + "/gong.wav")))
        let server = try RadioServer(.withoutLength, body: body, type: "audio/x-wav")
        let played = try evening.tutti(["play", server.address("once.wav"), "--room", "{kitchen}"] + option)
        #expect(played.code == 0 && server.requests == 1, "\(played), \(server.requests) requests")
        // The same rooms play something else without being connected anew.
        let again = try evening.tutti(["play", server.address("more.wav"), "--room", "{kitchen}"] + option)
        #expect(again.code == 0 && server.requests == 2, "\(again), \(server.requests) requests")
        #expect(try evening.tutti("say", server.address("say.wav"), "--room", "{kitchen}").code == 0)
        #expect(server.requests == 3)
    }

    @Test("a pipe is read to its end, and an alarm takes nothing of it when it is made")
    func pipe() throws {
        let evening = try Evening()
        defer { evening.end() }
        try #require(mkfifo(evening.folder + "/pipe", 0o600) == 0)
        try evening.expect(done("at", "in 5h", "play", "{pipe}", "--room", "{kitchen}"))
        let room = "kitchen@127.0.0.1:\(try #require(evening.ports["kitchen"]))"
        let script = """
            { cat song.wav >pipe && echo all; } &
            tutti play pipe --room \(room) --start-at 29
            wait
            """
        let played = try evening.run("/bin/sh", ["-c", script])
        #expect(played.code == 0 && played.output.contains("all"), "\(played)")
    }
}
