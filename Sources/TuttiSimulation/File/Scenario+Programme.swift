import TuttiCore

extension Scenario {
    /// The songs under `songs`.
    static func songs(_ value: YAMLValue) throws(SimulationError) -> [Song] {
        var songs: [Song] = []
        for (name, value) in try value.entries("songs") {
            let fields = try value.fields("a song", ["length", "codec", "rate", "bitrate"])
            guard let length = fields["length"] else { throw value.fault("song \(name): the length is missing") }
            var song = Song(name: name, length: try length.time("length", in: 1_000_000_000...day))
            if let codec = fields["codec"] { song.codec = try codec.choice("codec", Song.Codec.self) }
            if let rate = fields["rate"] { song.sampleRate = try rate.integer("rate", in: 8_000...192_000) }
            song.bitsPerSecond = Self.usualRate(song)
            if let bitrate = fields["bitrate"] { song.bitsPerSecond = try bitrate.read("bitrate", NumberText.rate) }
            songs.append(song)
        }
        guard !songs.isEmpty else { throw value.fault("songs must contain at least one song") }
        return songs
    }

    /// Bits a second of a song that nothing is said of: 16 bits stereo, and what codecs make of it.
    private static func usualRate(_ song: Song) -> Int64 {
        let plain = Int64(song.sampleRate) * 32
        return switch song.codec {
        case .pcm: plain
        case .flac: plain * 6 / 10
        case .opus: 160_000
        case .original: 256_000
        }
    }

    /// The groups under `groups`.
    func readGroups(_ value: YAMLValue) throws(SimulationError) -> [GroupPlan] {
        var groups: [GroupPlan] = []
        for (name, value) in try value.entries("groups") {
            let fields = try value.fields("a group", ["sender", "rooms", "play", "at", "crossfade", "repeat"])
            let sender = try fields["sender"]?.text("sender") ?? senders.first?.name ?? ""
            if let message = Self.missing("sender", sender, in: senders.map(\.name)) {
                throw (fields["sender"] ?? value).fault(message)
            }
            var group = GroupPlan(
                name: name, sender: sender, rooms: rooms.map(\.name), queue: songs.map(\.name), repeats: .all)
            if let rooms = fields["rooms"] {
                group.rooms = try rooms.names("rooms", of: "room", in: self.rooms.map(\.name))
            }
            if let play = fields["play"] { group.queue = try play.names("play", of: "song", in: songs.map(\.name)) }
            if let start = fields["at"] {
                group.start = try start.text("at") == "never" ? nil : try start.time("at", in: 0...Self.day)
            }
            if let crossfade = fields["crossfade"] {
                group.crossfade = try crossfade.time("crossfade", in: 0...12_000_000_000)
            }
            if let mode = fields["repeat"] { group.repeats = try mode.choice("repeat", RepeatMode.self) }
            groups.append(group)
        }
        guard !groups.isEmpty else { throw value.fault("groups must contain at least one group") }
        return groups
    }
}
