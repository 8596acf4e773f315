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
            All rooms play the files at the same instant. If music plays in a room, no matter who plays it, it \
            continues underneath. The music fades down by 14 dB within 50 ms, and back up within 50 ms after the \
            announcement. If nothing plays in a room, it plays just the announcement. The room's volume applies, and \
            muted rooms stay silent. A room plays up to two announcements at a time, and refuses a third.

            The command ends when the announcement is over, or at ^C. If the service runs, it makes the announcement, \
            and ^C does not stop it. Standard input is always played by this command itself. FILE can be anything \
            that `tutti play` takes as INPUT.

            EXAMPLES
              tutti say dinner.ogg --group downstairs
              tutti say gong.wav fire.mp3 --room kitchen --room bath@10.0.0.7 --gain 6
              espeak-ng --stdout 'The washing is done.' | tutti say - --room kitchen
            """)

    @Argument(help: ArgumentHelp("What to play, one after the other.", valueName: "file"), completion: .file())
    var input: [String]

    @Option(
        help: ArgumentHelp(
            "A room to announce in; repeat for more. A room with an address needs no mDNS.",
            valueName: "name[@host[:port]]"),
        completion: NameCompletion.rooms)
    var room: [String] = []

    @Option(
        help: ArgumentHelp("A group of rooms (see `tutti group`); repeat for more.", valueName: "name"),
        completion: NameCompletion.groups)
    var group: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How much louder (or softer, if negative), -60 to 20. Peaks above full scale are clipped.", valueName: "db")
    )
    var gain = 0.0

    @Option(
        help: ArgumentHelp(
            "The format of raw samples on standard input, such as 48000:16:2.", valueName: "rate:bits:channels")
    )
    var format: String?

    @Flag(help: "Announce in the rooms that answer, even if others do not.")
    var any = false

    @Flag(help: "Print events as lines of JSON; see docs/json.md.")
    var json = false

    func validate() throws {
        guard (-60...20).contains(gain) else { throw ValidationError("\(gain): a gain is from -60 to 20 dB") }
    }

    private var view: any View { json ? JSONView() : TroubleLines() }

    private func handOver(_ settings: PlayerSettings) throws {
        var order = PlayOrder(inputs: try QueueInputs.resolve(input))
        (order.rooms, order.groups) = try settings.places(rooms: room, groups: group)
        order.gain = gain
        order.any = any ? true : nil
        try HandOver.run(ControlRequest(.say(order, detach: false)), view: view, isJSON: json)
    }

    func run() async throws {
        guard Remote.host == nil || !input.contains(AssetInput.standardInput) else {
            throw Failure("standard input cannot be announced by another host; save it as a file", exitCode: 2)
        }
        let settings = try PlayerSettings.load()
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
