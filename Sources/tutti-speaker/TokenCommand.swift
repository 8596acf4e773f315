import ArgumentParser
import TuttiHost
import TuttiQR
import TuttiSpeaker
import TuttiTrust

/// `tutti-speaker token`.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Prints the token with which a sender may claim this speaker.",
        discussion: """
            A token is made when there is none. A speaker asks for it if it was started with --claim token. The sender \
            takes it with `tutti pair ROOM TOKEN`, and then also checks that it talks to this speaker. Root means the \
            packaged service's speaker; name another one with --state-dir.
            """)

    @OptionGroup var options: SpeakerOptions

    @Flag(
        inversion: .prefixedNo,
        help: "Show it as a QR code, too. (default: on a terminal that can show it)")
    var qr: Bool?

    func run() throws {
        let settings = try SpeakerSettings.told(by: options, isForService: true)
        do {
            let environment = ProcessEnvironment.current
            for speaker in settings.speakers {
                let file = ClaimTokenFile(directory: speaker.stateDirectory)
                guard let token = try file.load(makes: true) else { continue }
                print((settings.speakers.count > 1 ? "\(speaker.name): " : "") + token.text)
                if let picture = QRChoice.standardOutput.picture(of: token.text, wish: qr, environment: environment) {
                    print(picture, terminator: "")
                }
            }
        } catch {
            FileOutput.standardError("tutti-speaker: \(error)\n")
            throw ExitCode.failure
        }
    }
}
