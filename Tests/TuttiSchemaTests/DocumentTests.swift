import Foundation
import Testing
import TuttiCore
import TuttiSchema

/// `docs/json.md` lists what the schema writes: no field is missing there, and none is there that does not exist.
@Suite struct DocumentTests {
    private let document: JSONDocument

    init() throws { document = try JSONDocument() }

    /// The names of the fields of a value in which everything is given.
    private func fields(_ value: some Encodable) throws -> Set<String> {
        let missing = absent(in: value)
        try #require(missing.isEmpty, "\(missing) of the example")
        return try keys(value)
    }

    /// What is nil in a value, or in the parts of a room's status.
    private func absent(in value: Any) -> [String] {
        Mirror(reflecting: value).children.flatMap { child -> [String] in
            if child.value is RoomStatus.Basics || child.value is SpeakerFigures { return absent(in: child.value) }
            let mirror = Mirror(reflecting: child.value)
            return mirror.displayStyle == .optional && mirror.children.isEmpty ? [child.label ?? ""] : []
        }
    }

    private func keys(_ value: some Encodable) throws -> Set<String> {
        let object = try JSONSerialization.jsonObject(with: Data(JSONLine.encode(value)))
        return Set(try #require(object as? [String: Any]).keys)
    }

    @Test func statusIsAsDocumented() throws {
        let table = try document.table(after: "## `tutti status --json`")
        #expect(try table.names == fields(Example.status))
        #expect(try table.words(of: "item") == fields(Example.item))
        let tracks = try document.table(after: "The tracks and chapters of what plays")
        #expect(try tracks.names == fields(Example.tracks))
        #expect(try tracks.words(of: "audio") == fields(Example.tracks.audio[0]))
        #expect(try tracks.words(of: "subtitles") == fields(Example.tracks.subtitles[0]))
        #expect(try tracks.words(of: "chapters") == fields(Example.tracks.chapters[0]))
        #expect(try table.words(of: "queue") == fields(Example.queue))
        let states = Set(PlayerStatus.State.allCases.map(\.rawValue))
        #expect(try table.words(of: "state") == states)
    }

    @Test func roomsAreAsDocumented() throws {
        let table = try document.table(after: "A room:")
        #expect(try table.names == fields(Example.room))
        #expect(try table.words(of: "systemClock") == fields(Example.clock))
        let states = Set(RoomStatus.State.allCases.map(\.rawValue))
        // Where another sender plays, the message names it.
        #expect(try table.words(of: "state") == states.union(["message"]))
    }

    @Test func queuesAreAsDocumented() throws {
        let table = try document.table(after: "## `tutti queue --json`")
        #expect(try table.names == fields(Example.listing))
        #expect(try table.words(of: "entries") == fields(Example.entry))
        #expect(try table.words(of: "repeat") == Set(RepeatMode.allCases.map(\.rawValue)))
    }

    @Test func schedulesAreAsDocumented() throws {
        let table = try document.table(after: "## `tutti at --json`")
        let listing = ScheduleListing(
            number: 3, when: "07:00", next: 1, group: "down", order: Example.order, missed: 2, problem: "none")
        #expect(try table.names == fields(listing))
    }

    @Test func eventsAreAsDocumented() throws {
        let table = try document.table(after: "## `tutti play --json`")
        var documented: [String: Set<String>] = [:]
        for row in table.rows { documented[row.names[0]] = Set(row.cells[1].words) }
        var written: [String: Set<String>] = [:]
        for kind in Example.events {
            let event = ControlEvent(kind, group: "down")
            let object = try JSONSerialization.jsonObject(with: Data(JSONLine.encode(event))) as? [String: Any]
            let word = try #require(object?["event"] as? String)
            written[word] = try keys(event).subtracting(["event", "group"])
        }
        #expect(documented == written)
        let room = try #require(table.rows.first { $0.names == ["room"] })
        #expect(Set(room.cells[2].words) == Set(RoomEvent.words))
    }

    @Test func requestsAreAsDocumented() throws {
        let tables = [
            try document.table(after: "A request is a line"),
            try document.table(after: "These are for a service only:"),
        ]
        let commands = Set(ControlRequest.Word.allCases.map(\.rawValue))
        #expect(Set(tables.flatMap(\.names)) == commands)
        var sent: Set<String> = ["all"]
        for (request, _) in ControlRequestTests.lines { sent.formUnion(try keys(request)) }
        let mentioned = Set(tables.flatMap { $0.rows.flatMap { $0.cells[1].words } })
        #expect(sent.subtracting(["command"]).isSubset(of: mentioned), "\(sent.subtracting(mentioned))")
        let values: Set = ["on", "list", "set", "add", "remove", "delete", "true", "false", "changed"]
        let known = try sent.union(commands).union(values).union(fields(Example.input)).union(fields(Example.response))
        #expect(mentioned.isSubset(of: known), "\(mentioned.subtracting(known))")
    }

    @Test func ordersAreAsDocumented() throws {
        let words = Set(try document.paragraph(from: "An `order` has").words)
        // `inputs` are as for `add`, `startAt` is as `position`, and the reference is a room or `none`.
        #expect(try words == fields(Example.order).union(["order", "add", "position", "none"]))
    }

    @Test func answersAreAsDocumented() throws {
        let text = try document.section("## The control socket")
        for field in try fields(Example.response) {
            let isThere = text.words.contains(field) || text.contains("\"\(field)\":")
            #expect(isThere, "\(field)")
        }
    }
}

/// The tables of the document.
private struct JSONDocument {
    struct Table {
        struct Row {
            /// The code in the first cell.
            var names: [String]
            var cells: [String]
        }

        var rows: [Row]

        /// All names in the first column.
        var names: Set<String> { Set(rows.flatMap(\.names)) }

        /// The words in code beside a name.
        func words(of name: String) throws -> Set<String> {
            Set(try #require(rows.first { $0.names.contains(name) }, "\(name)").cells[1].words)
        }
    }

    private let lines: [String]

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/json.md"), encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func rest(from beginning: String) throws -> ArraySlice<String> {
        lines[try #require(lines.firstIndex { $0.hasPrefix(beginning) }, "\(beginning)")...]
    }

    func table(after beginning: String) throws -> Table {
        let text = try rest(from: beginning).drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        let rows = text.dropFirst(2).map { line in
            let cells = line.dropFirst().dropLast().replacing("\\|", with: "/").split(
                separator: "|", omittingEmptySubsequences: false
            ).map(String.init)
            return Table.Row(names: cells[0].words, cells: cells)
        }
        try #require(!rows.isEmpty, "\(beginning)")
        return Table(rows: rows)
    }

    func paragraph(from beginning: String) throws -> String {
        try rest(from: beginning).prefix { !$0.isEmpty }.joined(separator: "\n")
    }

    func section(_ heading: String) throws -> String {
        let rest = try rest(from: heading)
        return (rest.prefix(1) + rest.dropFirst().prefix { !$0.hasPrefix("## ") }).joined(separator: "\n")
    }
}

extension String {
    /// What stands in backquotes and is one word.
    fileprivate var words: [String] {
        matches(of: /`([A-Za-z][A-Za-z0-9-]*)`/).map { String($0.output.1) }
    }
}

/// Values in which everything is given.
private enum Example {
    static let input = ControlInput(
        uri: "/a.flac", title: "A", artist: "B", album: "C", start: [1, 75], end: [2, 75])
    static let tracks = TrackListing(
        audio: [
            TrackListing.Audio(
                number: 1, language: "ger", title: "A", codec: "ac3", channels: 6, default: true, on: true)
        ],
        subtitles: [
            TrackListing.Subtitle(
                number: 1, language: "eng", title: "B", codec: "subrip", default: false, forced: false, file: "/a.srt",
                on: false)
        ], chapters: [TrackListing.Chapter(number: 1, start: 0, title: "C")])
    static var item: PlayerStatus.Item {
        var item = PlayerStatus.Item(
            index: 0, id: 1, title: "A", artist: "B", album: "C", duration: 3, uri: "/a.flac", station: "D")
        item.artwork = "/cover.jpg"
        (item.tracks, item.start) = (tracks, 0)
        return item
    }
    static let queue = PlayerStatus.Queue(
        length: 1, index: 0, repeat: .off, shuffle: false, consume: false, crossfade: 0, normalise: .off,
        night: false, tracks: TrackChoices())
    static var entry: QueueListing.Entry {
        var entry = QueueListing.Entry(
            index: 0, id: 1, uri: "/a.flac", title: "A", artist: "B", album: "C", duration: 3, failure: "none")
        entry.start = 1
        return entry
    }
    static let listing = QueueListing(
        entries: [entry], index: 0, repeat: .all, shuffle: true, consume: true, crossfade: 2,
        normalise: .album, night: true, tracks: TrackChoices(audio: .number(2), subtitle: .off))
    static let clock = SystemClockStatus(
        used: false, reason: "none", synchronised: true, maxErrorUs: 1, estimatedErrorUs: 1, offsetUs: 1,
        offsetSigmaUs: 1)

    static var room: RoomStatus {
        var room = RoomStatus(name: "kitchen", id: "k", address: "10.0.0.7:7700", state: .playing)
        (room.volume, room.muted, room.announcing, room.outputDelayMs) = (1, false, false, 0)
        (room.maxVolume, room.volumeFixed, room.screen) = (60, false, true)
        (room.syncErrorUs, room.syncErrorP99Us, room.clockOffsetSigmaUs) = (1, 1, 1)
        (room.clockDriftPpm, room.clockDriftSigmaPpm, room.dacPpm, room.dacSigmaPpm) = (1, 1, 1, 1)
        (room.rttUs, room.stamps, room.stampsForward, room.stampsReturn) = (1, "user", "user", "user")
        (room.systemClock, room.codec, room.format, room.device) = (clock, "flac", "48000:24:2", "hw:0")
        (room.bufferedBytes, room.bitPerfect, room.bitPerfectReason, room.message) = (1, false, "none", "none")
        return room
    }

    static var status: PlayerStatus {
        var status = PlayerStatus(
            state: .playing, position: 1, rate: 1, item: item, queue: queue, rooms: [room], reference: "kitchen",
            referencePpm: 1, referenceMessage: "none")
        (status.group, status.sleep) = ("down", 60)
        status.live = PlayerStatus.Live(latency: 0.25, wanted: 0.2, sourcePpm: 1, missing: 0, late: 0)
        status.behind = 2.5
        status.encoding = PlayerStatus.Encoding(processorSeconds: 0.5, soundSeconds: 60)
        return status
    }

    static var order: PlayOrder {
        var order = PlayOrder(inputs: [input])
        (order.rooms, order.groups, order.codec, order.bitrate) = (["kitchen"], ["down"], "opus", 96_000)
        (order.startAt, order.rate, order.crossfade, order.reference) = ("1:30", 1, 2, "kitchen")
        order.normalise = .track
        (order.audioTrack, order.subtitle) = ("de", "off")
        (order.any, order.volume, order.fade, order.gain) = (true, 30, 60, -3)
        return order
    }

    static var response: ControlResponse {
        var response = ControlResponse(error: "none", exitCode: 0)
        (response.status, response.queue, response.service, response.playing) = (status, listing, true, [status])
        response.stopped = [status]
        (response.groups, response.schedules, response.room) = (["down": ["kitchen"]], [], "kitchen")
        (response.notices, response.sleep) = ([], 60)
        response.effects = EffectsListing(room: "kitchen", chain: ["limit -1"], latencyMs: 3.6, load: 0.001)
        (response.pair, response.stations) = ([], [])
        (response.library, response.playlists) = (LibraryListing(), [])
        return response
    }

    static let events: [ControlEvent.Kind] = [
        .state(.playing), .item(item), .itemFailed(index: 0, uri: "/a.flac", message: "broken", id: 1), .stalled,
        .room(name: "kitchen", .lost, message: "gone"), .notice("words"), .progress(status),
        .finished(exitCode: 1, message: "why"),
    ]
}
