import Foundation
import Testing

/// What a shell puts on the line where names are completed. They come from the network: none may be run.
@Suite(
    "Completion of names",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "bash is not installed"))
struct CompletionTests {
    /// Names as a shell would not like them.
    private static let names = [
        "living room", "o'clock", "a $(touch ran)", "b`touch ran`", "c\";touch ran;\"", "Küche: oben", "d';touch ran;'",
        // A quote with an accent is one character with it for Swift, and a quote for a shell.
        "e'\u{301}$(touch ran)'\u{301}", "f\\",
    ]

    @Test("bash offers names as they are and runs nothing that is in them")
    func bash() throws {
        let evening = try Evening()
        defer { evening.end() }
        for name in Self.names { try evening.expect(done("group", "set", name, "{kitchen}")) }
        let outcome = try evening.complete(
            "tutti play --group ''", "tutti at 7:00 play song.wav --group ''", "tutti volume kit")
        let lines = outcome.lines
        for name in Self.names {
            #expect(lines.count { $0 == name } == 2, "\(name): \(outcome)")
        }
        #expect(lines.last == "kitchen", "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: evening.folder + "/ran"))
    }

    @Test("the words of `at` are completed, and the files behind them")
    func at() throws {
        let evening = try Evening()
        defer { evening.end() }
        let offered = { (words: String...) in
            try evening.tutti(["---completion", "at", "--", "positional@0", "\(words.count - 1)", "0"] + words)
                .output.split(separator: "\n").map(String.init)
        }
        #expect(try offered("tutti", "at", "7:00", "").contains("play"))
        #expect(try offered("tutti", "at", "7:00", "play", "go").contains("gong.wav"))
        #expect(
            try offered("tutti", "at", "7:00", "play", evening.folder + "/so").contains(evening.folder + "/song.wav"))
        #expect(try offered("tutti", "at", "7:00", "play", "gong.wav", "--fa").contains("--fade"))
    }

    @Test("a service that hangs is not waited for: what was stored is offered, and files")
    func silence() throws {
        let evening = try Evening()
        defer { evening.end() }
        try evening.expect(done("group", "set", "downstairs", "{kitchen}"))
        evening.killService()
        let service = try SilentSocket(at: evening.folder + "/run/tutti/control.sock")
        for (line, offer) in [
            ("tutti play --room kit", "kitchen"), ("tutti status --group ''", "downstairs"),
            ("tutti play go", "gong.wav"),
            ("tutti at 7:00 play go", "gong.wav"), ("tutti at 7:00 play gong.wav --room ''", "kitchen"),
        ] {
            let began = ContinuousClock.now
            let outcome = try evening.complete(line)
            #expect(outcome.lines.contains(offer), "\(line): \(outcome)")
            // A tenth of a second and the program's start; other commands wait for fifteen seconds.
            #expect(ContinuousClock.now - began < .seconds(3), "\(line)")
        }
        #expect(service.connections() >= 3)
    }
}

extension Evening {
    /// What bash offers for the last word of each line.
    fileprivate func complete(_ lines: String...) throws -> Programs.Outcome {
        let script = """
            source <(tutti --generate-completion-script bash)
            complete_last() {
                COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMPREPLY=()
                _tutti tutti "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
            }

            """
        return try run("/bin/bash", ["-c", script + lines.map { "complete_last \($0)\n" }.joined()])
    }
}

extension Programs.Outcome {
    fileprivate var lines: [String] { output.split(separator: "\n").map(String.init) }
}
