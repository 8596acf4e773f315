import Glibc
import Synchronization
import TuttiCalibration
import TuttiCommandLine
import TuttiHost

/// What is typed: keys of a terminal, or lines of a pipe.
final class CalibrateKeys: Sendable {
    /// Whether it is a terminal.
    let isTerminal: Bool
    /// What is asked for; all that came at once together. Ends with the input.
    let commands: AsyncStream<[EarCommand]>

    private let saved: Mutex<termios?>

    init() {
        var settings = termios()
        isTerminal = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &settings) == 0
        saved = Mutex(isTerminal ? settings : nil)
        let isTerminal = isTerminal
        if isTerminal {
            // Key by key, unseen; ^C comes as a key too, so that the delay can be put back.
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
        let (stream, continuation) = AsyncStream.makeStream(of: [EarCommand].self)
        commands = stream
        do {
            // It ends with the input, or with the process.
            _ = try RealtimeThread.spawn(name: "tutti-keys", priority: nil) {
                isTerminal ? Self.readKeys(continuation) : Self.readLines(continuation)
                continuation.finish()
            }
        } catch {
            continuation.finish()
        }
    }

    /// Gives the terminal back as it was.
    func close() {
        guard
            var settings = saved.withLock({ saved in
                defer { saved = nil }
                return saved
            })
        else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        Terminal.writeError("\n")
    }

    private static func readKeys(_ continuation: AsyncStream<[EarCommand]>.Continuation) {
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            guard count > 0 || (count < 0 && errno == EINTR) else { return }
            pending += buffer[..<max(0, count)]
            var commands: [EarCommand] = []
            while let command = EarCommand.next(from: &pending) { commands.append(command) }
            if !commands.isEmpty { continuation.yield(commands) }
        }
    }

    private static func readLines(_ continuation: AsyncStream<[EarCommand]>.Continuation) {
        while let line = readLine() {
            if let command = EarCommand(line: line) {
                continuation.yield([command])
            } else {
                Terminal.error("\(line): unknown input; type +1, -0.1, ok or quit")
            }
        }
    }
}
