import Glibc
import TuttiControl

// What is installed as `tutti`: gives quick commands itself, becomes `tutti-simulate` for `simulate` and `tutti-player`
// for all others. Both lie beside it.

private func environment() -> [String: String] {
    var result: [String: String] = [:]
    for name in ["RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR", "TUTTI_GROUP", "TUTTI_HOST"] {
        if let value = getenv(name) { result[name] = String(cString: value) }
    }
    return result
}

private func say(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        bytes = bytes.dropFirst(count)
    }
}

/// Another program in place of this one, with the words from `skipped` on.
private func become(_ program: SiblingProgram, skipping skipped: Int = 0) -> Never {
    say("tutti: \(program.become(CommandLine.unsafeArgv + skipped))\n", to: STDERR_FILENO)
    exit(1)
}

if CommandLine.arguments.dropFirst().first == "simulate" { become(.simulate, skipping: 1) }
private let own = environment()
private let group = own["TUTTI_GROUP"].flatMap { $0.isEmpty ? nil : $0 }
// What is for another host needs more than this program has.
if let host = own["TUTTI_HOST"], !host.isEmpty { become(.player) }
guard let command = QuickCommand(Array(CommandLine.arguments.dropFirst()), group: group) else { become(.player) }
switch command.give(at: QuickCommand.socket(environment: own, userID: getuid())) {
case .done(let text):
    say(text, to: STDOUT_FILENO)
    exit(0)
case .refused: become(.player)
case .unanswered:
    say("tutti: no answer from the player\n", to: STDERR_FILENO)
    exit(1)
}
