import Testing
import TuttiControl
import TuttiHost
import TuttiSender

@Suite("Quick commands") struct QuickCommandTests {
    @Test(
        "well-formed commands are quick",
        arguments: [
            "pause", "resume", "toggle", "stop", "next", "previous", "prev", "seek 1:30", "seek +10",
            "seek -1:02:03.5", "seek live",
            "volume 40",
            "volume kitchen +5", "volume -10", "mute on", "mute off", "mute kitchen", "mute kitchen off",
            "rate 1.5", "clear", "jump 3", "move 7 2", "remove 3", "remove 3 5", "shuffle", "shuffle off",
            "consume on", "repeat one", "crossfade 5", "crossfade 2.5", "normalise album",
            "normalize off", "night on", "night off",
            "audio auto", "audio 2", "audio pt-BR", "subtitle off", "subtitle auto", "subtitle 3", "subtitle de",
            "chapter 2", "chapter next", "chapter previous",
            "pause --group down", "--group=down pause", "volume --group down kitchen +5", "volume --group down 40",
        ])
    func quick(text: String) {
        #expect(QuickCommand(text.split(separator: " ").map(String.init)) != nil)
    }

    @Test(
        "all others are for the whole program",
        arguments: [
            "", "play song.flac", "status", "pause --help", "pause now", "seek", "seek soon", "seek 1 2", "seek --help",
            "volume", "volume loud", "volume --help 5", "volume a b 5", "mute", "mute a b", "pause --all",
            "mute --help", "mute -h off",
            "rate",
            "rate fast", "rate nan", "rate 1.5 x", "rate --help", "rate 1.2.3", "watch",
            "clear all", "jump", "jump 0", "jump x", "jump -1", "move 1", "move 1 2 3", "remove 3-5", "remove",
            "shuffle maybe",
            "consume", "repeat twice", "add song.flac",
            "pause --group", "pause --group=", "pause --group --help", "pause --group a --group b", "status --group a",
            "--host music pause", "--host=music pause", "crossfade", "crossfade long", "crossfade 1 2", "normalise",
            "normalise loud", "night", "night maybe",
            "audio", "audio off", "audio 0", "audio 1 2", "audio film.srt", "subtitle", "subtitle film.srt",
            "subtitle german", "chapter", "chapter 0", "chapter last",
            "crossfade --help",
        ])
    func others(text: String) {
        #expect(QuickCommand(text.split(separator: " ").map(String.init)) == nil)
    }

    @Test(
        "the socket is where the player makes it",
        arguments: [
            [:], ["XDG_RUNTIME_DIR": "/run/user/7"], ["XDG_RUNTIME_DIR": "relative"],
            ["RUNTIME_DIRECTORY": "/run/a:/run/b"],
            ["RUNTIME_DIRECTORY": "a", "XDG_RUNTIME_DIR": "/x"],
        ] as [[String: String]])
    func socket(environment: [String: String]) {
        for user: UInt32 in [0, 1000] {
            let paths = StatePaths(environment: environment, userID: user)
            #expect(
                QuickCommand.socket(environment: environment, userID: user)
                    == ControlServer.path(in: paths.runtimeDirectory))
        }
    }

    @Test("nobody has done anything where nobody listens")
    func nobody() {
        #expect(QuickCommand(["pause"])?.give(at: "/nonexistent/control.sock") == .refused)
    }
}
