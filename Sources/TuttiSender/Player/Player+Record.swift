import TuttiCodecs
import TuttiCore
import TuttiPlayback
import TuttiProduction
import TuttiRooms
import TuttiWire

/// What a player would need to resume after its process has died, written down before anybody is told of it.
extension Player {
    /// Seconds of the timeline after which it is written down again how far it has come, for rooms that forget it all.
    private static let heardStep: Int64 = 10

    /// Writes down what has changed; then the rooms hear of it.
    func commit() {
        if isAlive, restored == nil { recorder?.record(recordedState, queue) }
        group.outbox.flush()
        followPictures()
    }

    var recordedState: PlayerRecord.State {
        let isStopped = isParked && !production.isRunning
        let rooms =
            isStopped
            ? configuration.rooms.map { StoredRoom($0) }
            : group.members.map(\.record) + lookedUp.map { StoredRoom($0) }
        let encoding = configuration.encoding
        return PlayerRecord.State(
            stream: group.streamID, rooms: rooms, farewells: group.pendingReleases,
            encoding: PlayerRecord.Encoding(
                codec: encoding.codec, keepsOriginals: encoding.keepsOriginals,
                bitrate: encoding.encoder.opusBitrate, gain: encoding.gain),
            current: queue.current?.rawValue, nextEntry: queue.nextID, repeatMode: queue.repeatMode,
            consumes: queue.consumes, lane: timeline.tracks.map(PlayerRecord.Track.init),
            nextSerial: timeline.nextSerial, followed: followed, end: timelineEnd, rate: scheduling.rate,
            crossfade: scheduling.crossfade,
            line: StoredTimebase(playhead), earlierLines: group.timebase.earlier.map(StoredTimebase.init),
            heard: recordedPosition, isHeld: isHeld, isStopped: isStopped ? true : nil, reference: group.reference.room,
            normalization: scheduling.normalization, isNight: scheduling.isNight ? true : nil,
            tracks: scheduling.tracks == TrackChoices() ? nil : scheduling.tracks)
    }

    private var recordedPosition: MediaTime {
        guard playhead.rate > 0 else { return playhead.media }
        let seconds = position.converted(to: 1, rounding: .down).value
        return max(playhead.media, MediaTime(frame: seconds / Self.heardStep * Self.heardStep, sampleRate: 1))
    }

    private var isHeld: Bool {
        switch phase {
        case .connecting: !playsOnceReady
        case .filling(let thenPlay): !thenPlay
        case .paused: true
        case .playing, .finished: false
        }
    }
}

extension PlayerRecord.Track {
    fileprivate init(_ track: PlaybackTimeline.Track) {
        self.init(
            serial: track.serial, entry: track.entry.rawValue, input: track.item.input, info: track.info,
            start: track.start, offset: track.offset, rate: track.rate, end: track.end,
            head: track.head.map(PlayerRecord.Ending.init), ending: track.ending.map(PlayerRecord.Ending.init),
            isPlaced: track.isPlaced)
    }
}

extension PlayerRecord.Ending {
    fileprivate init(_ ending: CrossfadeTail) {
        self.init(
            input: ending.input, choice: ending.choice == .automatic ? nil : ending.choice.description,
            place: ending.place, time: ending.time, end: ending.end, rate: ending.rate,
            sampleRate: ending.sampleRate, crossfade: ending.crossfade, gain: ending.gain == 1 ? nil : ending.gain)
    }
}
