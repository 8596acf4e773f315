import ArgumentParser
import TuttiSpeaker
import TuttiTrust

/// `tutti-speaker reset`.
struct ResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Makes this speaker nobody's: the next household that plays on it claims it.",
        discussion: """
            A speaker that runs sends away who plays there, within a second. Its name, volume and delay stay. It also \
            works to remove claim.json from the state folder, as a button's script may do. Root means the packaged \
            service's speaker; name another one with --state-dir.
            """)

    @OptionGroup var options: SpeakerOptions

    func run() throws {
        let settings = try SpeakerSettings.told(by: options, isForService: true)
        do {
            for speaker in settings.speakers {
                let file = SpeakerClaimFile(directory: speaker.stateDirectory)
                let wasClaimed = file.isThere
                try file.remove()
                let who = settings.speakers.count > 1 ? speaker.name : "This speaker"
                print(wasClaimed ? "\(who) belongs to nobody now." : "\(file.path): there is no claim to remove.")
            }
        } catch {
            FileOutput.standardError("tutti-speaker: \(error)\n")
            throw ExitCode.failure
        }
    }
}
