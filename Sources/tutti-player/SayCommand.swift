import ArgumentParser
import Tutti
import TuttiAssets
import TuttiCommandLine
import TuttiHouse
import TuttiSchema
import TuttiSender

/// `tutti say`.
struct SayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "say", abstract: "Plays an announcement or a chime over whatever the rooms play.",
        discussion: """
            The files are heard in all rooms from one instant on. Where music plays, whoever plays it, it goes on underneath: \
            14 dB softer, down within 50 ms and back up within 50 ms after the last word. A room that plays nothing just \
            plays the announcement. The room's volume holds for it too, and a muted room stays silent. Two announcements \
            at a time can be made in a room; a third one is refused.

            It ends when everything has been heard, or at ^C. Where a service runs that makes the announcement, and ^C leaves it to it; \
            standard input is announced by this command itself. FILE is what INPUT is for `tutti play`.

            EXAMPLES
              tutti say dinner.ogg --group downstairs
              tutti say gong.wav fire.mp3 --room kitchen --room bath@10.0.0.7 --gain 6
              espeak-ng --stdout 'The washing is done.' | tutti say - --room kitchen
            """)

    @Argument(help: ArgumentHelp("What to play, one after the other.", valueName: "file"), completion: .file())
    var input: [String]

    @Option(
        help: ArgumentHelp(
            "A room to announce in; repeat for more. With an address no mDNS is needed.",
            valueName: "name[@host[:port]]"),
        completion: NameCompletion.rooms)
    var room: [String] = []

    @Option(
        help: ArgumentHelp("A group of rooms, as `tutti group` makes them; may be repeated.", valueName: "name"),
        completion: NameCompletion.groups)
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

    private var view: any View { json ? JSONView() : TroubleLines() }

    private func handOver(_ settings: Settings) throws {
        var order = PlayOrder(inputs: try QueueInputs.resolve(input))
        (order.rooms, order.groups) = try settings.places(rooms: room, groups: group)
        order.gain = gain
        order.any = any ? true : nil
        try HandOver.run(ControlRequest(.say(order, detach: false)), view: view, isJSON: json)
    }

    func run() async throws {
        let settings = try Settings.load()
        if HandOver.isPossible, !input.contains(AssetInput.standardInput) { return try handOver(settings) }
        let inputs = try Inputs.resolve(input, format: format)
        let plan = try await settings.plan(
            inputs, in: try settings.rooms(named: room, groups: group), any: any)
        var configuration = try QueuePlayer.Configuration.ofThisProgram()
        configuration.isAnnouncement = true
        configuration.gain = gain
        configuration.allowsMissingRooms = any
        configuration.opened = plan.opened
        let player = try await QueuePlayer(
            items: inputs.map { PlayerItem($0) }, outputs: plan.rooms.map { .room($0) },
            configuration: configuration)
        if let failure = Failure(await Session(player: player, server: nil, view: view).run()) { throw failure }
    }
}
