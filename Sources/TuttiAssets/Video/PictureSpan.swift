package import TuttiCore

/// The pictures of one track, and where they lie on a player's timeline.
package struct PictureSpan: Sendable, Equatable {
    /// Which of the timeline's tracks it is.
    package let serial: Int
    /// What the track is.
    package let input: AssetInput
    /// Where the track's sound begins on the timeline.
    package let start: MediaTime
    /// The place in the track that plays there.
    package let offset: MediaTime
    /// How many seconds of the track pass in a second of the timeline; positive.
    package let rate: Double
    /// Where the track ends on the timeline; nil while that is unknown: then it lasts as long as it has pictures.
    package var end: MediaTime?
    /// The `id` of the video track that is shown; nil for the one that the medium asks to play.
    package let videoTrack: Int?
    /// Where the subtitles are that are shown above it; nil for none.
    package let subtitles: SubtitleTrack.Place?
    /// What is shown where there are neither.
    package let card: TextCard?

    /// A track from `start` to `end`.
    package init(
        serial: Int, input: AssetInput, start: MediaTime, offset: MediaTime = .zero, rate: Double = 1,
        end: MediaTime? = nil, videoTrack: Int? = nil, subtitles: SubtitleTrack.Place? = nil, card: TextCard? = nil
    ) {
        self.serial = serial
        self.input = input
        self.start = start
        self.offset = offset
        self.rate = rate
        self.end = end
        self.videoTrack = videoTrack
        (self.subtitles, self.card) = (subtitles, card)
    }

    /// Where a place in the track lies on the timeline, before `start` for one that is left out. Exact at the rate 1, to
    /// the nanosecond at others.
    package func time(of place: MediaTime) -> MediaTime { start + (place - offset).scaled(by: 1 / rate) }

    /// The place in the track that plays at `time`.
    package func place(at time: MediaTime) -> MediaTime { offset + (time - start).scaled(by: rate) }
}
