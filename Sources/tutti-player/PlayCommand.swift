import ArgumentParser
import Tutti
import TuttiAssets
import TuttiCommandLine
import TuttiCore
import TuttiHost
import TuttiHouse
import TuttiProduction
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// `tutti play`.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Plays files, folders, addresses or standard input in rooms.",
        discussion: """
            All rooms start at the same instant, once each is ready, and tracks follow each other without a gap. If a \
            room drops out, it is tried again and rejoins in sync. If another sender is using a room, this command \
            takes it over. If another sender later takes one of your rooms, the others keep playing; if it was the \
            only one, the exit status is 4.

            INPUT is a file, a folder (in natural order), an http:// or https:// address, a playlist (m3u, pls, cue), \
            a named pipe, or - for standard input: WAV or another format, or raw samples described by --format. Or it \
            is music called by a name: album:NAME, artist:NAME, genre:NAME, composer:NAME, year:YEAR or search:WORDS \
            of the library (`tutti help library`), station:NAME (`tutti help station`) or playlist:NAME (`tutti help \
            playlist`). Write ./album:x for a file. \
            Or it is a live source: alsa:PCM (a line-in, a turntable, a television), pipe:/PATH (a named pipe, made \
            where there is none), unix:/PATH, pipewire:NAME (of a desktop: man tutti-pipewire), tcp://HOST:PORT, \
            tcp://HOST:PORT?listen, exec:COMMAND, or input:NAME of the settings. What it captures is heard --latency \
            later, in all rooms at once; samples are as ?format= says, behind it (default: 48000:16:2). See \
            docs/live.md. \
            Without INPUT, the service resumes what is paused or stopped, at the same place.

            Rooms and inputs are checked first. If a room does not answer, or no input can be played, nothing changes \
            in any room, and the exit status is 3.

            Tracks that cannot be played are reported and skipped, and the exit status is 1. After 100 of them in a \
            row, the queue stops, because a disk or a share is probably missing. The service keeps the queue and the \
            place; `tutti play` without INPUT resumes there.

            If the service runs (`tutti serve`), it plays, and this command shows what plays. ^C ends only this view: \
            the music keeps playing. The view survives a restart of the service. The new tracks replace what the \
            group played, and rooms leave the group that they played in.

            With --standalone, with --here and for standard input, this command plays the music itself, as it does \
            when no service runs. ^C then stops all rooms.

            --here also plays on this host's own card, as a room called 'here' that remembers its volume. If there is \
            no such card, the exit status is 3.

            With --codec original, AAC, MP3, ALAC, FLAC, Vorbis and Opus files are sent as they are, without \
            transcoding, and so are the samples of WAV and AIFF. Other tracks, and speakers that cannot decode these \
            formats, get FLAC.

            A track of the library of 20 minutes or more, such as a podcast or an audiobook, resumes where it was left, \
            if the service plays it and it comes first; a line says so. --from-start or --start-at starts it elsewhere.

            Of films, rooms get the sound. A screen (`tutti-screen`, on the host with the display) also gets the \
            pictures, and of music the cover. It is a room like any other, which --screen adds to those of --room, \
            --group or the settings: tutti play film.mkv --group downstairs --screen tv

            --audio-track and --subtitle choose among the tracks of a film, by number or language; see `tutti help \
            audio` and `tutti help subtitle`. They hold until you choose otherwise.
            """)

    @Argument(
        help: "What to play, in order. Without it, the service resumes what is paused or stopped.", completion: .file())
    var input: [String] = []

    @Option(
        help: ArgumentHelp(
            "A room to play in; repeat for more. A room with an address needs no mDNS.", valueName: "name[@host[:port]]"
        ),
        completion: NameCompletion.rooms)
    var room: [String] = []

    @Option(
        help: ArgumentHelp("A group of rooms (see `tutti group`); repeat for more.", valueName: "name"),
        completion: NameCompletion.groups)
    var group: [String] = []

    @Option(
        help: ArgumentHelp(
            "A screen that shows the pictures, beside the rooms; repeat for more.", valueName: "name[@host[:port]]"),
        completion: NameCompletion.rooms)
    var screen: [String] = []

    @Flag(help: "Play on this host's own card too, as a room called 'here'; without --room, only there.")
    var here = false

    @Option(
        help: ArgumentHelp(
            "The output for --here: an ALSA PCM, file:PATH.wav or null. (default: default)", valueName: "name"))
    var device: String?

    @Option(
        help: ArgumentHelp(
            "How to encode the sound: flac, opus, pcm or original. (default: flac)", valueName: "codec"))
    var codec: String?

    @Option(help: ArgumentHelp("Opus: kilobits a second, 64 to 320. (default: 160)", valueName: "kb/s"))
    var bitrate: Int?

    @Option(help: ArgumentHelp("Where to start, in seconds or M:SS.", valueName: "time"))
    var startAt: String?

    @Flag(help: "Start a long track at its beginning, though it was left somewhere else.")
    var fromStart = false

    @Option(
        help: ArgumentHelp(
            "How fast to play, 0.5 to 2, with the pitch kept; for voices. (default: 1)", valueName: "rate"))
    var rate: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many seconds each track overlaps with the next, 0 to 12. (default: 0)",
            valueName: "seconds"))
    var crossfade: String?

    @Option(
        help: ArgumentHelp(
            "What is made equally loud: track, album or off; see `tutti help normalise`. (default: as before, or off)",
            valueName: "mode"))
    var normalise: LoudnessNormalization?

    @Option(
        help: ArgumentHelp(
            "Which audio track of films plays: auto, a number or a language. (default: as before, or auto)",
            valueName: "track"))
    var audioTrack: String?

    @Option(
        help: ArgumentHelp(
            """
            Which subtitles are shown: off, auto, a number, a language, or a file for the first film. (default: as \
            before, or auto)
            """,
            valueName: "subtitles"),
        completion: .file(extensions: TrackChoice.fileEndings))
    var subtitle: String?

    @Option(
        help: ArgumentHelp(
            "The room that plays bit for bit; the others follow its sound card. See `tutti help reference`.",
            valueName: "name"),
        completion: NameCompletion.rooms)
    var reference: [String] = []

    @Option(
        help: ArgumentHelp(
            "The format of raw samples on standard input, such as 48000:16:2.", valueName: "rate:bits:channels"))
    var format: String?

    @Option(
        help: ArgumentHelp(
            "Live sources: how long after its capture sound is heard, from 20ms to 10s; auto begins with 100ms and rises. (default: 250ms)",
            valueName: "time"))
    var latency: String?

    @Flag(help: "Play in the rooms that answer, even if others do not.")
    var any = false

    @Option(
        help: ArgumentHelp(
            "The rooms' volume, 0 to 100; needs the service. (default: unchanged)", valueName: "volume"))
    var volume: Double?

    @Option(
        help: ArgumentHelp(
            "How long the fade-in takes, such as 30s or 5m; needs the service. (default: no fade-in)",
            valueName: "time"))
    var fade: String?

    @Flag(help: "Play in the foreground, without the service.")
    var standalone = false

    @Flag(help: "Speak to speakers in the clear, as `tutti serve --open` does; not with the service.")
    var open = false

    @Flag(help: "Pass the work to the service, and return once it plays.")
    var detach = false

    @Flag(help: "Print events as lines of JSON instead of progress; see docs/json.md.")
    var json = false

    /// What is to be played, live sources with the latency of the option.
    private func liveInputs() throws -> [String] {
        guard let latency else { return input }
        do {
            return try input.map { uri throws(AssetError) in
                LiveAddress.isOne(uri) ? try LiveAddress.with(latency: latency, uri) : uri
            }
        } catch {
            throw ValidationError(error.description)
        }
    }

    func run() async throws {
        guard Remote.host == nil || !(standalone || here || open || device != nil) else {
            throw Failure(
                "--standalone, --here and --open play on this computer; leave out --host and TUTTI_HOST", exitCode: 2)
        }
        if open { PlayerSettings.speakInTheClear() }
        let settings = try PlayerSettings.load()
        if input.isEmpty { return try resume(settings) }
        guard standalone || here || !HandOver.isPossible else { return try handOver(settings) }
        guard !detach, volume == nil, fade == nil else {
            throw Failure("--detach, --volume and --fade need the service; start it with `tutti serve`", exitCode: 2)
        }
        let inputs = try Inputs.resolve(try liveInputs(), format: format)
        let plan = try await plan(settings, inputs)
        var outputs = plan.rooms.map { QueuePlayer.Output.room($0) }
        if here { outputs.append(.local(device: device ?? "default")) }
        var configuration = try configuration(settings)
        configuration.opened = plan.opened
        configuration.reference = try chosenReference(among: plan.rooms)
        let player = try await QueuePlayer(
            items: inputs.map { PlayerItem($0) }, outputs: outputs, configuration: configuration)
        if let start = try start() { try await player.seek(to: start) }
        let server = try await OwnSocket.listen(for: player.player)
        if server == nil { Terminal.error("other commands control the service, not this player; press ^C to stop it") }
        if let failure = Failure(await Session(player: player, server: server, view: view).run()) { throw failure }
    }

    private func handOver(_ settings: PlayerSettings) throws {
        guard !open else {
            throw Failure("the service plays: give --open to `tutti serve`, or use --standalone", exitCode: 2)
        }
        let request = ControlRequest(
            .play(try order(settings), name: try groupName(settings), detach: detach))
        try HandOver.run(request, view: view, isJSON: json)
    }

    private var view: any View { progressView(isJSON: json) }

    private func plan(_ settings: PlayerSettings, _ inputs: [AssetInput]) async throws -> Takeover {
        guard here || device == nil else { throw ValidationError("--device needs --here") }
        let rooms = try settings.rooms(named: room, groups: group, screens: screen, isHere: here)
        return try await settings.plan(inputs, in: rooms, any: any)
    }

    private func configuration(_ settings: PlayerSettings) throws -> QueuePlayer.Configuration {
        var configuration = try QueuePlayer.Configuration.ofThisProgram()
        configuration.codec = try codec(settings)
        configuration.allowsMissingRooms = any
        if let rate { configuration.defaultRate = try RateCommand.parse(rate) }
        if let crossfade = try crossfade ?? settings.value(SenderSetting.crossfade) {
            configuration.crossfade = try CrossfadeCommand.parse(crossfade).seconds
        }
        configuration.normalization = try normalization(settings) ?? .off
        configuration.loudness = try PlayerSettings.store().loudnessLookup
        configuration.tracks.audio = try audioChoice() ?? .automatic
        configuration.tracks.subtitle = try subtitleChoice() ?? .automatic
        return configuration
    }

    private func normalization(_ settings: PlayerSettings) throws -> LoudnessNormalization? {
        try normalise ?? settings.value(SenderSetting.normalise).flatMap(LoudnessNormalization.init)
    }

    private func audioChoice() throws -> TrackChoice? { try audioTrack.map { try TrackText.choice($0, of: .audio) } }

    private func subtitleChoice() throws -> TrackChoice? {
        try subtitle.map { try TrackText.choice($0, of: .subtitle) }
    }

    private func chosenReference(among rooms: [RoomAddress]) throws -> String? {
        var order = PlayOrder(inputs: [])
        order.reference = try ReferenceSubcommand.single(reference)
        return try order.reference(among: rooms + (here ? [RoomAddress(name: "here")] : []))
    }

    private func start() throws -> MediaTime? {
        guard let startAt else { return nil }
        guard let time = SeekTarget.time(startAt) else {
            throw ValidationError("\(startAt): a time is in seconds, M:SS or H:MM:SS")
        }
        return time
    }

    private func codec(_ settings: PlayerSettings) throws -> QueuePlayer.Codec {
        let (name, bitrate) = try encoding(settings)
        switch name {
        case "flac": return .flac
        case "pcm": return .pcm
        case EncodingOptions.originalName: return .original
        default: return bitrate.map { .opus(bitrate: $0) } ?? .opus()
        }
    }

    /// The codec's name, and bits a second for Opus where they are given.
    private func encoding(_ settings: PlayerSettings) throws -> (name: String, bitrate: Int?) {
        let name = try codec ?? settings.value(SenderSetting.codec) ?? "flac"
        guard name == "opus" || bitrate == nil else { throw ValidationError("--bitrate needs --codec opus") }
        guard name == EncodingOptions.originalName || EncodingOptions.codecs.contains(where: { $0.rawValue == name })
        else { throw ValidationError("\(name): no such codec; use flac, opus, pcm or original") }
        // A bit rate in the configuration is for Opus; with another codec it waits.
        let configured = try name == "opus" ? bitrate ?? settings.value(SenderSetting.bitrate) : nil
        return (name, configured.map { $0 * 1000 })
    }
}

/// What the command asks of the service.
extension PlayCommand {
    /// Asks the service to resume.
    private func resume(_ settings: PlayerSettings) throws {
        guard !standalone, !here, HandOver.isPossible else {
            throw Failure(
                HandOver.isPossible || standalone || here
                    ? "nothing to play: name a file, a folder or an address"
                    : "nothing to play: to resume a queue, start the service with `tutti serve`",
                exitCode: 2)
        }
        var place: PlayOrder?
        if !room.isEmpty || !group.isEmpty || !screen.isEmpty {
            var order = PlayOrder(inputs: [])
            (order.rooms, order.groups) = try settings.places(rooms: room, groups: group, screens: screen)
            place = order
        }
        let request = ControlRequest(.resume(place: place), group: try groupName(settings))
        _ = try GroupOption.client.ask(request, within: 30)
    }

    /// The order, with files named so that the service finds them.
    ///
    /// - Throws: `ProgramFailure` with status 3 for what is not there, 2 for standard input.
    func order(_ settings: PlayerSettings) throws -> PlayOrder {
        if input.contains(AssetInput.standardInput) {
            let remedy = Remote.host == nil ? "use --standalone" : "save it as a file, and play that"
            throw Failure("the service cannot play standard input; \(remedy)", exitCode: 2)
        }
        var order = PlayOrder(inputs: try QueueInputs.resolve(try liveInputs(), keepsMissing: true))
        (order.rooms, order.groups) = try settings.places(rooms: room, groups: group, screens: screen)
        (order.codec, order.bitrate) = try encoding(settings)
        order.startAt = startAt ?? (fromStart ? "0" : nil)
        order.rate = try rate.map(RateCommand.parse)
        order.crossfade = try (crossfade ?? settings.value(SenderSetting.crossfade)).map {
            try CrossfadeCommand.parse($0).seconds
        }
        order.normalise = try normalization(settings)
        (order.audioTrack, order.subtitle) = (try audioChoice()?.description, try subtitleChoice()?.description)
        order.reference = try ReferenceSubcommand.single(reference)
        order.any = any ? true : nil
        order.volume = volume
        if let fade {
            guard let seconds = Schedule.duration(fade) else {
                throw ValidationError("\(fade): a time looks like 30s, 5m or 1m30s")
            }
            order.fade = Double(seconds)
        }
        try order.check()
        return order
    }

    /// What the group is called that plays it, where that follows from more than the order.
    func groupName(_ settings: PlayerSettings) throws -> String? {
        let groups = try settings.groups(named: group, rooms: room)
        return room.isEmpty && !groups.isEmpty ? groups.joined(separator: "+") : nil
    }
}
