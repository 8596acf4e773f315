import TuttiAssets
import TuttiCodecs
import TuttiCore
package import TuttiHost
import TuttiPlayback
import TuttiProduction
package import TuttiRooms
import TuttiWire

/// From what was stored to what a player is made of: all of it is looked at before any is used.
extension PlayerRecord {
    /// How a player is to be configured that resumes from the record.
    ///
    /// - Throws: `SenderError.badRecord`.
    package func configuration(identity: SenderIdentity, clock: HostClock) throws(SenderError) -> PlayerConfiguration {
        guard PlayerConfiguration.rates.contains(state.rate), Crossfade.seconds.contains(state.crossfade.seconds) else {
            throw .badRecord("the rate or the crossfade is out of range")
        }
        guard state.stream != 0 else { throw .badRecord("the stream has no number") }
        var configuration = PlayerConfiguration(
            inputs: [], rooms: state.rooms.map(\.address), startAt: max(state.heard, .zero), encoding: try encoding(),
            allowsMissingRooms: true, identity: identity, clock: clock)
        configuration.rate = state.rate
        configuration.crossfade = state.crossfade
        configuration.reference = state.reference
        configuration.normalization = state.normalization ?? .off
        configuration.isNight = state.isNight ?? false
        configuration.tracks = state.tracks ?? TrackChoices()
        return configuration
    }

    private func encoding() throws(SenderError) -> EncodingOptions {
        let stored = state.encoding
        guard EncodingOptions.codecs.contains(stored.codec), EncoderOptions.opusBitrates.contains(stored.bitrate),
            stored.gain.isFinite, stored.gain >= 0
        else { throw .badRecord("the encoding is unknown") }
        var encoding = try EncodingOptions(codec: stored.codec)
        encoding.keepsOriginals = stored.keepsOriginals
        encoding.encoder.opusBitrate = stored.bitrate
        encoding.gain = stored.gain
        return encoding
    }

    /// The queue.
    ///
    /// - Throws: `SenderError.badRecord`.
    func queue() throws(SenderError) -> PlayQueue<QueueItem> {
        var items: [QueueEntryID: QueueItem] = [:]
        for entry in entries {
            guard entry.info?.isPlausible ?? true else { throw .badRecord("entry \(entry.id) is not a track") }
            var item = QueueItem(entry.input)
            (item.info, item.failure) = (entry.info, entry.failure)
            items[QueueEntryID(rawValue: entry.id)] = item
        }
        guard
            var queue = PlayQueue(
                restoring: items, ids: order.ids.map(QueueEntryID.init),
                listOrder: order.unshuffled?.map(QueueEntryID.init), current: state.current.map(QueueEntryID.init),
                nextID: state.nextEntry)
        else { throw .badRecord("the queue's order and its entries do not match") }
        queue.repeatMode = state.repeatMode
        queue.consumes = state.consumes
        return queue
    }

    /// What of the queue is on the timeline.
    ///
    /// - Throws: `SenderError.badRecord`.
    func timeline() throws(SenderError) -> PlaybackTimeline {
        var tracks: [PlaybackTimeline.Track] = []
        for stored in state.lane {
            guard let track = stored.track,
                tracks.last.map({ $0.serial < track.serial && $0.start <= track.start }) ?? true
            else { throw .badRecord("track \(stored.serial) has no place on the timeline") }
            tracks.append(track)
        }
        guard tracks.last.map({ $0.serial < state.nextSerial }) ?? true, state.nextSerial >= 0 else {
            throw .badRecord("the tracks are not numbered in order")
        }
        return PlaybackTimeline(restoring: tracks, nextSerial: state.nextSerial)
    }
}

extension PlayerRecord.Track {
    /// The track; nil for an impossible one.
    fileprivate var track: PlaybackTimeline.Track? {
        guard PlayerConfiguration.rates.contains(rate), info?.isPlausible ?? true, serial >= 0,
            end.map({ $0 >= start }) ?? true, head?.isPlausible ?? true, ending?.isPlausible ?? true
        else { return nil }
        var item = QueueItem(input)
        item.info = info
        return PlaybackTimeline.Track(
            serial: serial, entry: QueueEntryID(rawValue: entry), item: item, start: start, offset: offset, rate: rate,
            end: end, head: head?.ending, ending: ending?.ending, isPlaced: isPlaced)
    }
}

extension PlayerRecord.Ending {
    fileprivate var isPlausible: Bool {
        PlayerConfiguration.rates.contains(rate) && AudioFormat.Limits.sampleRates.contains(sampleRate) && end >= time
            && gain.map { $0.isFinite && $0 >= 0 } ?? true
    }

    fileprivate var ending: CrossfadeTail {
        CrossfadeTail(
            input: input,
            choice: choice.flatMap { try? TrackChoice(parsing: $0, of: .audio) } ?? .automatic, place: place,
            time: time, end: end, rate: rate, sampleRate: sampleRate, crossfade: crossfade,
            gain: gain ?? 1)
    }
}
