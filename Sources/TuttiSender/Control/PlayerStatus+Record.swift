import TuttiAssets
import TuttiCore
import TuttiProduction
package import TuttiRooms
package import TuttiSchema
import TuttiWire

extension PlayerStatus {
    /// Rooms in which nothing of this sender plays.
    package init(idle rooms: [RoomStatus], state: State = .stopped) {
        self.init(
            state: state, position: 0, rate: 0, item: nil, queue: Queue(length: 0, index: 0), rooms: rooms)
    }

    /// The status of playback whose sender is gone, from its record and from what its rooms report.
    package init(_ record: PlayerRecord, _ rooms: [(address: RoomAddress, look: RoomLook)]) {
        let states = rooms.map { $0.look.status.state }
        let place = rooms.compactMap { $0.look.status.position }.max() ?? record.state.heard
        let track = record.state.lane.last { $0.start <= place } ?? record.state.lane.first
        let rate = track?.rate ?? 1
        let origin = track.map { $0.start - $0.offset.scaled(by: 1 / rate) } ?? .zero
        let index = track.flatMap { record.order.ids.firstIndex(of: $0.entry) } ?? 0
        self.init(
            state: states.contains(.playing) ? .playing : .paused, position: max(0, (place - origin).seconds * rate),
            rate: states.contains(.playing) ? rate : 0,
            item: track.map { track in
                var item = Item(
                    index: index, id: track.entry, title: track.info?.title ?? track.input.title,
                    artist: track.info?.artist ?? track.input.artist, album: track.info?.album ?? track.input.album,
                    duration: track.info?.duration?.seconds, uri: track.input.uri)
                item.start = track.input.partStart
                item.tracks = track.info?.tracks.map { TrackListing($0, record.state.tracks ?? TrackChoices()) }
                return item
            },
            queue: Queue(
                length: record.order.ids.count, index: index, repeat: record.state.repeatMode,
                shuffle: record.order.unshuffled != nil, consume: record.state.consumes,
                crossfade: record.state.crossfade.seconds, normalise: record.state.normalization ?? .off,
                night: record.state.isNight ?? false, tracks: record.state.tracks ?? TrackChoices()),
            rooms: rooms.map { address, look in
                var room = RoomStatus(address, look)
                room.loaded = room.loaded.rescaled(origin: origin, rate: rate)
                return room
            }, reference: record.state.reference)
    }
}
