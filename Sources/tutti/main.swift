import Glibc
import TuttiControl

// What is installed as `tutti`: gives quick commands itself, and is `tutti-player`, which lies beside it, for all others.

private func environment() -> [String: String] {
    var result: [String: String] = [:]
    for name in ["RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR", "TUTTI_GROUP"] {
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

/// The whole program in place of this one.
private func becomeThePlayer() -> Never {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path =
        own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/tutti-player"
    execv(path, CommandLine.unsafeArgv)
    say("tutti: \(path) cannot be run: \(String(cString: strerror(errno)))\n", to: STDERR_FILENO)
    exit(1)
}

private let own = environment()
private let group = own["TUTTI_GROUP"].flatMap { $0.isEmpty ? nil : $0 }
guard let command = QuickCommand(Array(CommandLine.arguments.dropFirst()), group: group) else { becomeThePlayer() }
switch command.give(at: QuickCommand.socket(environment: own, userID: getuid())) {
case .done(let text):
    say(text, to: STDOUT_FILENO)
    exit(0)
case .refused: becomeThePlayer()
case .unanswered:
    say("tutti: the player does not answer\n", to: STDERR_FILENO)
    exit(1)
}
