package import TuttiCore

/// How a player stands: what `tutti status --json` prints. The names are those of `docs/json.md`.
package struct PlayerStatus: Sendable, Equatable, Codable {
    /// What the player does.
    package enum State: String, Sendable, Codable, CaseIterable {
        /// Connecting, or waiting for the first audio to be ready.
        case starting
        /// Sound.
        case playing
        /// Held.
        case paused
        /// Filling the rooms' buffers after a jump.
        case buffering
        /// Over.
        case ended
        /// Not playing; the queue and the place are kept.
        case stopped
    }

    /// A piece.
    package struct Item: Sendable, Equatable, Codable {
        /// Its number, from 0.
        package var index: Int
        /// Its entry's in the queue, which stays its own wherever it is moved.
        package var id: UInt64?
        /// From its tags, or its list.
        package var title: String?
        /// From its tags, or its list.
        package var artist: String?
        /// From its tags.
        package var album: String?
        /// Seconds; nil when unknown.
        package var duration: Double?
        /// What was asked for.
        package var uri: String
        /// Seconds into the file where it begins, for a part of one.
        package var start: Double?
        /// The station's name, while `title` is what it says that it plays.
        package var station: String?
        /// The path of a file with its picture, where a live source says what it plays; nil to look in the piece itself.
        package var artwork: String?
        /// What there is to choose in it; nil for music without chapters.
        package var tracks: TrackListing?

        /// A track.
        package init(
            index: Int, id: UInt64? = nil, title: String? = nil, artist: String? = nil, album: String? = nil,
            duration: Double? = nil, uri: String, station: String? = nil
        ) {
            self.index = index
            self.id = id
            self.title = title
            self.artist = artist
            self.album = album
            self.duration = duration
            self.uri = uri
            self.station = station
        }

        private enum CodingKeys: String, CodingKey {
            case index, id, title, artist, album, duration, uri, start, station, artwork, tracks
        }
    }

    /// The list of pieces.
    package struct Queue: Sendable, Equatable, Codable {
        /// How many there are.
        package var length: Int
        /// The one that is heard, from 0.
        package var index: Int
        /// What follows the end.
        package var `repeat`: RepeatMode?
        /// Whether the order is a shuffled one.
        package var shuffle: Bool?
        /// Whether pieces leave once they are over.
        package var consume: Bool?
        /// Seconds that the ending of a piece and the beginning of the next are heard together at most; 0 for none.
        package var crossfade: Double?
        /// What is made equally loud.
        package var normalise: LoudnessNormalization?
        /// Whether there is less difference between loud and soft.
        package var night: Bool?
        /// Which audio track of films plays: `auto`, a number or a language.
        package var audioTrack: String?
        /// Which subtitles are shown: `off`, `auto`, a number, a language or a file.
        package var subtitle: String?

        /// A queue.
        package init(
            length: Int, index: Int, `repeat`: RepeatMode? = nil, shuffle: Bool? = nil, consume: Bool? = nil,
            crossfade: Double? = nil, normalise: LoudnessNormalization? = nil, night: Bool? = nil,
            tracks: TrackChoices? = nil
        ) {
            self.length = length
            self.index = index
            self.repeat = `repeat`
            self.shuffle = shuffle
            self.consume = consume
            self.crossfade = crossfade
            self.normalise = normalise
            self.night = night
            (audioTrack, subtitle) = (tracks?.audio.description, tracks?.subtitle.description)
        }
    }

    /// What making the sound for the rooms has taken, since the player started.
    package struct Encoding: Sendable, Equatable, Codable {
        /// Seconds of a processor for reading, decoding, converting and encoding.
        package var processorSeconds: Double
        /// Seconds of sound that came of it.
        package var soundSeconds: Double

        /// What it took, and what came of it.
        package init(processorSeconds: Double, soundSeconds: Double) {
            self.processorSeconds = processorSeconds
            self.soundSeconds = soundSeconds
        }
    }

    /// How a live source is heard.
    package struct Live: Sendable, Equatable, Codable {
        /// Seconds from capture to sound.
        package var latency: Double
        /// Seconds that were asked for.
        package var wanted: Double
        /// How much faster the source runs than this host's clock, in ppm; nil while that is not known.
        package var sourcePpm: Double?
        /// Seconds of silence in the place of what did not come.
        package var missing: Double
        /// Seconds of sound that came too late to be heard.
        package var late: Double

        /// Figures of a source.
        package init(latency: Double, wanted: Double, sourcePpm: Double?, missing: Double, late: Double) {
            self.latency = latency
            self.wanted = wanted
            self.sourcePpm = sourcePpm
            self.missing = missing
            self.late = late
        }
    }

    /// What the group of rooms is called, where a service plays.
    package var group: String?
    /// What the player does.
    package var state: State
    /// Seconds into the piece.
    package var position: Double
    /// Seconds of the piece in a second: 1 while playing unless another rate was asked for, else 0.
    package var rate: Double
    /// The piece that is heard.
    package var item: Item?
    /// How it is heard, where it is live.
    package var live: Live?
    /// Seconds that what is heard is behind what is live, where that is a station or a live source; else nil.
    package var behind: Double?
    /// The list.
    package var queue: Queue
    /// The rooms.
    package var rooms: [RoomStatus]
    /// The room whose card leads playback time.
    package var reference: String?
    /// How much faster than the group clock playback time runs, in ppm; nil while it is group time.
    package var referencePpm: Double?
    /// Why there is no reference room though one was asked for.
    package var referenceMessage: String?
    /// Seconds until a service ends it, when it is to sleep.
    package var sleep: Double?
    /// What encoding has taken; nil where nothing is encoded.
    package var encoding: Encoding?

    /// A status.
    package init(
        state: State, position: Double, rate: Double, item: Item? = nil, queue: Queue, rooms: [RoomStatus],
        reference: String? = nil, referencePpm: Double? = nil, referenceMessage: String? = nil
    ) {
        self.state = state
        self.position = position
        self.rate = rate
        self.item = item
        self.queue = queue
        self.rooms = rooms
        self.reference = reference
        self.referencePpm = referencePpm
        self.referenceMessage = referenceMessage
    }
}

extension PlayerStatus.Item {
    /// The path of the file that its picture is in, or beside.
    package var pictured: String { artwork ?? uri }

    /// The fields about the piece are there for a reader to rely on: those not known are null.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(index, forKey: .index)
        try container.encodeIfPresent(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(artist, forKey: .artist)
        try container.encode(album, forKey: .album)
        try container.encode(duration, forKey: .duration)
        try container.encode(uri, forKey: .uri)
        try container.encodeIfPresent(start, forKey: .start)
        try container.encodeIfPresent(station, forKey: .station)
        try container.encodeIfPresent(artwork, forKey: .artwork)
        try container.encodeIfPresent(tracks, forKey: .tracks)
    }
}
