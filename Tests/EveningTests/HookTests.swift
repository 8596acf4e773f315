import Foundation
import Testing

/// The household's own commands, run by the real service.
@Suite struct HookTests {
    /// A hook that writes down what it was told.
    private static let script = """
        #!/bin/sh
        echo "$TUTTI_EVENT $1 group=$TUTTI_GROUP room=$TUTTI_ROOM$TUTTI_ROOMS volume=$TUTTI_VOLUME" >> "$HOME/hooks.log"
        [ "$1" != slowly ] || exec sleep 600

        """

    private func evening(_ settings: String) throws -> Evening {
        let evening = try Evening(settings: settings)
        let path = evening.folder + "/hook"
        try Self.script.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return evening
    }

    /// What hooks have written, once there is a line that begins with `text`.
    private func lines(_ evening: Evening, until text: String, within seconds: Double = 8) -> [String] {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let written = (try? String(contentsOfFile: evening.folder + "/hooks.log", encoding: .utf8)) ?? ""
            let lines = written.split(separator: "\n").map(String.init)
            if lines.contains(where: { $0.hasPrefix(text) }) || ContinuousClock.now > deadline { return lines }
            usleep(100_000)
        }
    }

    @Test("start, volume, announcement and stop run what they are set to, in this order")
    func occasions() throws {
        let evening = try evening(
            """
            hooks:
              start: [ '{folder}/hook', on ]
              stop: [ '{folder}/hook', 'off; echo "$HOME"' ]
              volume: '{folder}/hook'
              announcement: [ '{folder}/hook' ]

            """)
        defer { evening.end() }
        #expect(try evening.tutti("play", "{long.wav}", "--room", "{kitchen}", "--detach").code == 0)
        #expect(lines(evening, until: "start").last == "start on group=kitchen room=kitchen volume=")
        #expect(try evening.tutti("volume", "kitchen", "33").code == 0)
        #expect(lines(evening, until: "volume").last == "volume  group=kitchen room=kitchen volume=33.0")
        #expect(try evening.tutti("say", "{gong.wav}", "--room", "{bath}").code == 0)
        #expect(lines(evening, until: "announcement").last == "announcement  group= room=bath volume=")
        #expect(try evening.tutti("stop").code == 0)
        // What is told is told as it is: no shell looks at it.
        #expect(lines(evening, until: "stop").last == #"stop off; echo "$HOME" group=kitchen room=kitchen volume="#)
    }

    @Test("a hook that hangs, and one that is not there, delay nobody; the former is ended after ten seconds")
    func hanging() throws {
        let evening = try evening("hooks:\n  start: [ '{folder}/hook', slowly ]\n  stop: [ /none/there ]\n")
        defer { evening.end() }
        let begin = ContinuousClock.now
        #expect(try evening.tutti("play", "{long.wav}", "--room", "{kitchen}", "--detach").code == 0)
        #expect(lines(evening, until: "start").count == 1)
        #expect(try evening.tutti("stop").code == 0)
        #expect(ContinuousClock.now - begin < .seconds(9), "nobody waits for a hook")
        let deadline = ContinuousClock.now + .seconds(20)
        while !evening.log("serve").contains("a hook cannot start"), ContinuousClock.now < deadline { usleep(200_000) }
        #expect(evening.log("serve").contains("a hook was ended by signal 9"), "\(evening.log("serve"))")
        #expect(evening.log("serve").contains("a hook cannot start: No such file or directory"))
    }

    @Test("what is no command is said when the service starts", arguments: ["hook", "[relative, on]", "[]"])
    func wrong(_ value: String) throws {
        let evening = try Evening()
        defer { evening.end() }
        let path = evening.folder + "/config/tutti/tutti.yaml"
        try "hooks:\n  start: \(value)\n".write(toFile: path, atomically: true, encoding: .utf8)
        let outcome = try evening.tutti("serve", "--state-dir", evening.folder + "/other")
        #expect(outcome.code == 2 && outcome.errors.contains("absolute path"), "\(outcome)")
    }
}
