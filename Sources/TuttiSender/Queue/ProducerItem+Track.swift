import TuttiAssets
import TuttiCore
import TuttiProduction

extension ProducerItem {
    /// A track from its beginning.
    init(
        _ track: PlaybackTimeline.Track, choice: TrackChoice = .automatic, serial: Int, crossfade: MediaTime,
        level: TrackLevel = .gain(1), night: NightMode = NightMode(false), opened: OpenedAsset? = nil
    ) {
        self.init(
            serial: serial, input: track.item.input, choice: choice, start: track.time(of: .zero), offset: track.offset,
            begin: track.start, rate: track.rate, head: track.head, crossfade: crossfade, level: level, night: night,
            opened: opened)
    }

    /// The rest of a track from `time` on, where it has been made so far.
    init(
        _ track: PlaybackTimeline.Track, choice: TrackChoice, from time: MediaTime, serial: Int,
        crossfade: MediaTime, level: TrackLevel, night: NightMode
    ) {
        let place = track.exact(track.place(at: time))
        self.init(
            serial: serial, input: track.item.input, choice: choice,
            start: time - place.scaled(by: 1 / track.rate), offset: place, begin: time, isRest: true, rate: track.rate,
            head: track.head.flatMap { time < $0.end ? $0 : nil }, crossfade: crossfade,
            level: level, night: night)
    }
}
