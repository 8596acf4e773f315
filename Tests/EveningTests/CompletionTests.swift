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
        let script = """
            source <(tutti --generate-completion-script bash)
            complete_last() {
                COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMPREPLY=()
                _tutti tutti "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
            }
            complete_last tutti play --group ''
            complete_last tutti at 7:00 play song.wav --group ''
            complete_last tutti volume kit
            """
        let outcome = try evening.run("/bin/bash", ["-c", script])
        let lines = outcome.output.split(separator: "\n").map(String.init)
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
}
