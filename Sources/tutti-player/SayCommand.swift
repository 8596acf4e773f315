import ArgumentParser
import Glibc
import TuttiAssets
import TuttiHost
import TuttiSender

/// `tutti say`.
struct SayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "say", abstract: "Mixes an announcement or a chime into whatever rooms play.",
        discussion: """
            The files are heard in all rooms from one instant on. Where music plays, whoever plays it, it goes on underneath: \
            14 dB softer, down within 50 ms and back up within 50 ms after the last word. A room that plays nothing just \
            plays the announcement. The room's volume holds for it too, and a muted room stays silent. Two announcements \
            at a time can be made in a room; a third one is refused.

            It ends when everything has been heard, or at ^C. FILE is what INPUT is for `tutti play`.

            EXAMPLES
              tutti say dinner.ogg --group downstairs
              tutti say gong.wav fire.mp3 --room kitchen --room bath@10.0.0.7 --gain 6
              espeak-ng --stdout 'The washing is done.' | tutti say - --room kitchen
            """)

    @Argument(help: ArgumentHelp("What to play, one after the other.", valueName: "file"))
    var input: [String]

    @Option(
        help: ArgumentHelp(
            "A room to announce in; repeat for more. With an address no mDNS is needed.",
            valueName: "name[@host[:port]]"))
    var room: [String] = []

    @Option(help: ArgumentHelp("A group of rooms, as `tutti group` makes them; may be repeated.", valueName: "name"))
    var group: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How much louder or, below 0, softer: -60 to 20. Beyond full scale it is cut.", valueName: "db"))
    var gain = 0.0

    @Option(
        help: ArgumentHelp("What raw samples on standard input are, as in 48000:16:2.", valueName: "rate:bits:channels")
    )
    var format: String?

    @Flag(help: "Announce in the rooms that answer, even if others do not.")
    var any = false

    @Flag(help: "Print events as lines of JSON; see docs/json.md.")
    var json = false

    func validate() throws {
        guard (-60...20).contains(gain) else { throw ValidationError("\(gain): a gain is -60 to 20 dB") }
    }

    func run() async throws {
        let rooms = try await Settings.load().rooms(named: room, groups: group)
        do {
            let player = try Player(playerConfiguration(rooms))
            let view: any View = json ? JSONView() : TroubleLines()
            let outcome = await Session(player: player, server: nil, view: view).run()
            guard outcome.exitCode != 0 else { return }
            throw Failure(outcome.message ?? "it failed", exitCode: outcome.exitCode)
        } catch let error as SenderError {
            throw Failure(error)
        }
    }

    private func playerConfiguration(_ rooms: [RoomAddress]) throws -> PlayerConfiguration {
        do {
            let rawFormat = try format.map { text throws(AssetError) in try RawFormat(parsing: text) }
            let inputs = try InputResolver.resolve(input, stdinFormat: rawFormat)
            guard inputs.count(where: \.isStandardInput) <= 1 else {
                throw ValidationError("standard input can be played once only")
            }
            var encoding = try EncodingOptions()
            encoding.gain = Float(pow(10, gain / 20))
            var configuration = PlayerConfiguration(
                inputs: inputs, rooms: rooms, encoding: encoding, allowsMissingRooms: any,
                identity: try SenderIdentity.load(from: Settings.paths.stateDirectory).forAnnouncement,
                clock: try HostClock.system(environment: ProcessEnvironment.current))
            configuration.isAnnouncement = true
            return configuration
        } catch let error as AssetError {
            if case .badRawFormat = error { throw ValidationError(error.description) }
            throw Failure(error.description, exitCode: 3)
        } catch let error as HostError {
            throw Failure(error.description)
        }
    }
}
