import ArgumentParser
import TuttiSpeaker
import TuttiTrust

/// `tutti-speaker reset`.
struct ResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Makes this speaker nobody's: the next household that plays on it claims it.",
        discussion: """
            A speaker that runs sends away who plays there, within a second. Its name, volume and delay stay. It also \
            works to remove claim.json from the state folder, as a button's script may do.
            """)

    @OptionGroup var options: SpeakerOptions

    func run() throws {
        let settings = try SpeakerSettings.told(by: options)
        do {
            try SpeakerClaimFile(directory: settings.speaker.stateDirectory).remove()
        } catch {
            FileOutput.standardError("tutti-speaker: \(error)\n")
            throw ExitCode.failure
        }
    }
}
