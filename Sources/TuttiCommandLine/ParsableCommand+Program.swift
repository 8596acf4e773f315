package import ArgumentParser
import Glibc
package import TuttiHost

extension HostError: ProgramFailure {
    package var exitCode: Int32 { 1 }
}

extension ParsableCommand {
    /// Parses a command line, runs the command, and ends the process if that fails: misuse ends with
    /// status 2, help with 0, a `Failure` with its own.
    ///
    /// - Parameter words: those after the program's name; nil for what this process was called with.
    package static func runProgram(_ words: [String]? = nil) async {
        signal(SIGPIPE, SIG_IGN)
        OpenFiles.allowAll()
        do {
            var command = try parseAsRoot(words)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as any ProgramFailure {
            Terminal.error(error.description)
            Glibc.exit(error.exitCode)
        } catch let error as ValidationError {
            // Thrown by a command that runs already: the parser would add the usage of `tutti`, not of the command.
            Terminal.error(error.message)
            Glibc.exit(2)
        } catch {
            let code = exitCode(for: error)
            guard code == .validationFailure else { exit(withError: error) }
            Terminal.writeError(fullMessage(for: error) + "\n")
            Glibc.exit(2)
        }
    }
}
