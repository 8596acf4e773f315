import ArgumentParser
import TuttiHost
import TuttiSpeaker

/// `tutti-speaker check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks whether the speaker on this host works.",
        discussion: """
            Prints one line for each of its outputs: what the speaker does, on which output, and whether its clock answers. Port and address \
            come from the speaker's settings. The check does not disturb playback. The exit status is 1 if the \
            speaker does not answer, if its output is not open, or if it has a clock that does not answer.
            """)

    @OptionGroup var options: SpeakerOptions

    func run() async throws {
        let settings = try SpeakerSettings.told(by: options, isForService: true)
        do {
            let clock = try HostClock.system(environment: ProcessEnvironment.current)
            for speaker in settings.speakers {
                let host = speaker.bindAddress ?? "127.0.0.1"
                guard let address = try SocketAddress.resolve(host: host, port: speaker.port).first else {
                    throw HostError.unresolvable(host: host, reason: "no address")
                }
                print(try SpeakerCheck.run(at: address, stateDirectory: speaker.stateDirectory, clock: clock))
            }
        } catch {
            FileOutput.standardError("tutti-speaker: \(error)\n")
            throw ExitCode.failure
        }
    }
}
