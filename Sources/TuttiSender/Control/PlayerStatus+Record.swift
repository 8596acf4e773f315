import TuttiAssets
import TuttiCore
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
        let piece = record.state.lane.last { $0.start <= place } ?? record.state.lane.first
        let rate = piece?.rate ?? 1
        let origin = piece.map { $0.start - $0.offset.scaled(by: 1 / rate) } ?? .zero
        let index = piece.flatMap { record.order.ids.firstIndex(of: $0.entry) } ?? 0
        self.init(
            state: states.contains(.playing) ? .playing : .paused, position: max(0, (place - origin).seconds * rate),
            rate: states.contains(.playing) ? rate : 0,
            item: piece.map { piece in
                Item(
                    index: index, id: piece.entry, title: piece.info?.title ?? piece.input.title,
                    artist: piece.info?.artist ?? piece.input.artist, album: piece.info?.album ?? piece.input.album,
                    duration: piece.info?.duration?.seconds, uri: piece.input.uri)
            },
            queue: Queue(
                length: record.order.ids.count, index: index, repeat: record.state.repeatMode,
                shuffle: record.order.unshuffled != nil, consume: record.state.consumes,
                crossfade: record.state.crossfade.seconds),
            rooms: rooms.map { address, look in
                var room = RoomStatus(address, look)
                room.loaded = room.loaded.rescaled(origin: origin, rate: rate)
                return room
            }, reference: record.state.reference)
    }
}
