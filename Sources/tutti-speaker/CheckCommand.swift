import ArgumentParser
import TuttiHost
import TuttiSpeaker

/// `tutti-speaker check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks whether the speaker on this host works.",
        discussion: """
            Prints one line: what the speaker does, on which output, and whether its clock answers. Port and address \
            come from the speaker's settings. The check does not disturb playback. The exit status is 1 if the \
            speaker does not answer, if its output is not open, or if it has a clock that does not answer.
            """)

    @OptionGroup var options: SpeakerOptions

    func run() async throws {
        let settings = try SpeakerSettings.told(by: options, isForService: true)
        do {
            let host = settings.speaker.bindAddress ?? "127.0.0.1"
            guard let address = try SocketAddress.resolve(host: host, port: settings.speaker.port).first else {
                throw HostError.unresolvable(host: host, reason: "no address")
            }
            let clock = try HostClock.system(environment: ProcessEnvironment.current)
            print(
                try SpeakerCheck.run(
                    at: address, stateDirectory: settings.speaker.stateDirectory, clock: clock))
        } catch {
            FileOutput.standardError("tutti-speaker: \(error)\n")
            throw ExitCode.failure
        }
    }
}
