import ArgumentParser
import TuttiCommandLine
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiSender

/// `tutti at`.
struct AtCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "at", abstract: "Schedules music for later, such as an alarm.",
        usage: """
            tutti at WHEN play INPUT… [options of tutti play]
            tutti at [--json]
            tutti at --cancel N…
            """,
        discussion: """
            WHEN is one of these, in this host's local time:
              07:00                                       the next 7 a.m.
              mon-fri 07:00, sat,sun 9:30, daily 22:00    these days, every week
              2026-12-24 18:00                            a date
              in 20m, in 1h30m                            a while from now
            If daylight saving skips a time, the music plays an hour later. If a time comes twice, the first one \
            counts.

            The service keeps the schedule. It connects to the rooms half a minute before and fills their buffers, so \
            they start together and on time even if this host stalls then. Rooms that play something else go silent \
            two seconds before. Rooms that are offline are skipped. If the service is not running at the time, it \
            starts the music up to five minutes late; after that it reports the missed time.

            Rooms, groups and inputs are checked when you make the schedule, and again a minute before. If the music \
            will not play, the service reports why: in the log, in `tutti status`, in `tutti at`, and to everyone who \
            watches.

            Muted rooms are unmuted. --volume sets the volume in all rooms, and --fade 1m raises it from silence \
            within a minute. When the music is over, the rooms get back the volume and the mute that they had. After \
            `play` come the options of `tutti play`, except --here, --device, --standalone and --detach. Without \
            WHEN, `tutti at` lists what is scheduled, each with a number for --cancel.

            EXAMPLES
              tutti at 07:00 play ~/Music/Bach --room bedroom --fade 2m
              tutti at mon-fri 06:45 play radio.m3u --group upstairs --volume 25 --fade 1m
              tutti at in 20m play gong.wav --room kitchen
              tutti at; tutti at --cancel 3
            """)

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("When to play, the word `play`, and what to play.", valueName: "when-play-input"),
        completion: AtCompletion.words)
    var words: [String] = []

    func run() async throws {
        guard let place = words.firstIndex(of: "play") else { return try steer() }
        var order: any ParsableCommand = try PlayCommand.parseAsRoot(Array(words[(place + 1)...]))
        guard let play = order as? PlayCommand else {
            try order.run()
            return
        }
        try refuse(play)
        let settings = try PlayerSettings.load()
        let when = words[..<place].joined(separator: " ")
        guard Schedule(parsing: when) != nil else {
            throw ValidationError(
                "no time before `play`: use 07:00, mon-fri 07:00, daily 07:00, 2026-12-24 18:00, in 20m or in 1h30m")
        }
        var scheduled = try play.order(settings)
        // Whoever sleeps wants to be woken wherever that is possible.
        scheduled.any = true
        let request = ControlRequest(.at(when: when, scheduled, name: try play.groupName(settings)))
        for schedule in try ask(request) { Terminal.write(ScheduleText.line(schedule) + "\n") }
    }

    private func refuse(_ play: PlayCommand) throws {
        guard !play.here, play.device == nil, !play.standalone, !play.open else {
            throw ValidationError("`tutti at` cannot use --here, --standalone or --open, because the service plays")
        }
    }

    /// Lists, or cancels.
    private func steer() throws {
        if words.isEmpty || words == ["--json"] {
            let schedules = try ask(ControlRequest(.schedules))
            for schedule in schedules {
                if words.isEmpty {
                    Terminal.write(ScheduleText.line(schedule) + "\n")
                } else {
                    Terminal.write(json: schedule)
                }
            }
            if schedules.isEmpty, words.isEmpty { Terminal.writeError("nothing is scheduled\n") }
            return
        }
        if ["--help", "-h"].contains(words[0]) { throw CleanExit.helpRequest(self) }
        guard words[0] == "--cancel", words.count > 1 else {
            throw ValidationError("usage: tutti at WHEN play INPUT… | tutti at --cancel N… | tutti at")
        }
        let numbers = words.dropFirst().compactMap { Int($0) }
        guard numbers.count == words.count - 1 else {
            throw ValidationError("--cancel takes the numbers that `tutti at` shows")
        }
        _ = try ask(ControlRequest(.cancel(numbers)))
    }

    private func ask(_ request: ControlRequest) throws -> [ScheduleListing] {
        guard HandOver.isPossible else {
            throw SenderError.notNow("schedules need the service; start it with `tutti serve`")
        }
        let response = try GroupOption.client.ask(request)
        for notice in response.notices ?? [] { Terminal.error(notice) }
        return response.schedules ?? []
    }
}
