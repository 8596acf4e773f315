import ArgumentParser
import TuttiHost
import TuttiSpeaker

/// `tutti-speaker check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Asks the speaker that runs on this host whether it works.",
        discussion: """
            One line: what it does, on which output, and whether it gives the time. It takes the port and the address from where the speaker has \
            them. Nobody who plays there notices. The exit status is 1 when the speaker does not answer, does not give the time though it \
            has a clock, or has no output.
            """)

    @OptionGroup var options: SpeakerOptions

    func run() async throws {
        let settings = try Settings.told(by: options)
        do {
            let host = settings.speaker.bindAddress ?? "127.0.0.1"
            guard let address = try SocketAddress.resolve(host: host, port: settings.speaker.port).first else {
                throw HostError.unresolvable(host: host, reason: "no address")
            }
            let clock = try HostClock.system(environment: ProcessEnvironment.current)
            print(try SpeakerCheck.run(at: address, clock: clock))
        } catch {
            FileOutput.standardError("tutti-speaker: \(error)\n")
            throw ExitCode.failure
        }
    }
}
