package import TuttiCore
package import TuttiSchema

/// What a player shows on the bus, apart from its position: the properties of `org.mpris.MediaPlayer2.Player`.
package struct PlayerProperties: Sendable, Equatable {
    /// `PlaybackStatus`.
    package enum Playback: String, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    /// What the player does; a jump does not change it.
    package var playback = Playback.stopped
    /// What follows the end.
    package var loop = RepeatMode.off
    /// Seconds of the track in a second while it plays, within `rates`.
    package var rate = 1.0
    /// Whether the order is a shuffled one.
    package var shuffle = false
    /// The track that is current; nil for none.
    package var track: Track?
    /// How loud the loudest room is, 0 … 1; 0 if all are muted.
    package var volume = 1.0
    /// What can be done now.
    package var abilities = Abilities()

    /// The rates that a player can have.
    package static let rates = 0.5...2.0

    /// What can be done now.
    package struct Abilities: Sendable, Equatable {
        package var canGoNext = false
        package var canGoPrevious = false
        package var canPlay = false
        package var canPause = false
        package var canSeek = false
    }

    /// Nothing is known yet.
    package init() {}

    // MARK: On the bus

    /// The value of a property; nil for the position, and for what is none.
    package func value(of name: String) -> BusValue? {
        switch name {
        case "PlaybackStatus": .string(playback.rawValue)
        case "LoopStatus": .string(loop.loopStatus)
        case "Rate": .double(rate)
        case "Shuffle": .boolean(shuffle)
        case "Metadata": .dictionary(track?.metadata ?? [:])
        case "Volume": .double(volume)
        case "MinimumRate": .double(Self.rates.lowerBound)
        case "MaximumRate": .double(Self.rates.upperBound)
        case "CanGoNext": .boolean(abilities.canGoNext)
        case "CanGoPrevious": .boolean(abilities.canGoPrevious)
        case "CanPlay": .boolean(abilities.canPlay)
        case "CanPause": .boolean(abilities.canPause)
        case "CanSeek": .boolean(abilities.canSeek)
        case "CanControl": .boolean(true)
        default: nil
        }
    }

    /// The properties that are others than before.
    package func changes(since before: PlayerProperties) -> [String: BusValue] {
        guard self != before else { return [:] }
        var changes: [String: BusValue] = [:]
        for property in BusInterface.player.properties where property.changes == .told {
            let value = value(of: property.name)
            if value != before.value(of: property.name) { changes[property.name] = value }
        }
        return changes
    }
}

extension PlayerProperties {
    /// A track as `Metadata` describes it.
    package struct Track: Sendable, Equatable {
        package var item: PlayerStatus.Item
        /// The address of its picture.
        package var artwork: String?

        /// Its name among objects, which is that of its entry in the queue.
        package var id: String {
            item.id.map { "/org/tutti/entry/\($0)" } ?? "/org/tutti/index/\(max(0, item.index))"
        }

        /// Microseconds; nil if unknown.
        package var length: Int64? {
            guard let seconds = item.duration, seconds > 0 else { return nil }
            return Microseconds.count(ofSeconds: seconds)
        }

        /// `Metadata`, by the names that MPRIS and Xesam have.
        var metadata: [String: BusValue] {
            var fields: [String: BusValue] = ["mpris:trackid": .objectPath(id)]
            fields["mpris:length"] = length.map { .int64($0) }
            fields["mpris:artUrl"] = artwork.map { .string($0) }
            fields["xesam:title"] = .string(item.title ?? name)
            fields["xesam:artist"] = item.artist.map { .strings([$0]) }
            // While a station says what it plays, its own name is what is left.
            fields["xesam:album"] = (item.album ?? item.station).map { .string($0) }
            fields["xesam:url"] = .string(item.uri.hasPrefix("/") ? FileURI.make(ofPath: item.uri) : item.uri)
            return fields
        }

        /// The last part of its path or address, without what says of which kind it is.
        private var name: String {
            let last = item.uri.split(separator: "/").last.map(String.init) ?? item.uri
            guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return last }
            return String(last[..<dot])
        }
    }
}

extension RepeatMode {
    /// As MPRIS calls it.
    package var loopStatus: String {
        switch self {
        case .off, .single: "None"
        case .all: "Playlist"
        case .one: "Track"
        }
    }

    /// What MPRIS calls so; nil for no such word.
    package init?(loopStatus: String) {
        guard let mode = Self.allCases.first(where: { $0.loopStatus == loopStatus }) else { return nil }
        self = mode
    }
}

/// Times as MPRIS has them.
package enum Microseconds {
    /// The whole microseconds in so many seconds; what is no number is 0, and what is too much the most there is.
    package static func count(ofSeconds seconds: Double) -> Int64 {
        let scaled = (seconds * 1e6).rounded()
        if scaled.isNaN { return 0 }
        return Int64(exactly: scaled) ?? (scaled < 0 ? .min : .max)
    }

    /// So many microseconds as seconds.
    package static func seconds(_ count: Int64) -> Double { Double(count) / 1e6 }
}
