package import TuttiCore

/// The pictures of one track, and where they lie on a player's timeline.
package struct PictureSpan: Sendable, Equatable {
    /// Which of the timeline's tracks it is.
    package let serial: Int
    /// Which part of it, where it changes what it says that it plays; these grow.
    package let part: Int
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
    /// The path of a picture that is shown instead of what the track has; nil for none.
    package let artwork: String?

    /// A track from `start` to `end`.
    package init(
        serial: Int, part: Int = 0, input: AssetInput, start: MediaTime, offset: MediaTime = .zero, rate: Double = 1,
        end: MediaTime? = nil, videoTrack: Int? = nil, subtitles: SubtitleTrack.Place? = nil, card: TextCard? = nil,
        artwork: String? = nil
    ) {
        (self.serial, self.part) = (serial, part)
        self.input = input
        self.start = start
        self.offset = offset
        self.rate = rate
        self.end = end
        self.videoTrack = videoTrack
        (self.subtitles, self.card, self.artwork) = (subtitles, card, artwork)
    }

    /// Whether it is the same part of the same track.
    package func isSame(as other: PictureSpan) -> Bool { (serial, part) == (other.serial, other.part) }

    /// Whether it comes after another one.
    package func follows(_ other: PictureSpan) -> Bool { (serial, part) > (other.serial, other.part) }

    /// Where a place in the track lies on the timeline, before `start` for one that is left out. Exact at the rate 1, to
    /// the nanosecond at others.
    package func time(of place: MediaTime) -> MediaTime { start + (place - offset).scaled(by: 1 / rate) }

    /// The place in the track that plays at `time`.
    package func place(at time: MediaTime) -> MediaTime { offset + (time - start).scaled(by: rate) }
}
