package import TuttiAssets
package import TuttiCore

/// The last seconds of a track, into which the next one may come: they are made together with that.
package struct CrossfadeTail: Sendable {
    package let input: AssetInput
    /// Which of its audio tracks is read.
    package let choice: TrackChoice
    /// Where in the track it begins.
    package let place: MediaTime
    /// Where that lies on the timeline: up to there the track has been made.
    package let time: MediaTime
    /// Where the track ends on the timeline, by its length.
    package let end: MediaTime
    /// How many seconds of the track pass in a second of the timeline.
    package let rate: Double
    /// Frames a second of the track.
    package let sampleRate: Int
    /// What its samples are multiplied with, as those before it.
    package let gain: Float

    /// The longest that it overlaps with the next track, in seconds of the timeline.
    package let crossfade: MediaTime

    package init(
        input: AssetInput, choice: TrackChoice = .automatic, place: MediaTime, time: MediaTime, end: MediaTime,
        rate: Double, sampleRate: Int,
        crossfade: MediaTime, gain: Float = 1
    ) {
        precondition(rate > 0 && sampleRate > 0, "a tail has a rate and a sample rate")
        (self.input, self.choice, self.place, self.time, self.end) = (input, choice, place, time, end)
        (self.rate, self.sampleRate, self.crossfade, self.gain) = (rate, sampleRate, crossfade, gain)
    }

    /// How long the tail is, in seconds of the timeline.
    package var length: MediaTime { end - time }

    /// The part of it that another track comes into which is no more than `length` long on the timeline, as half of
    /// that track may; nil when that is not known.
    package func ending(before length: MediaTime?) -> CrossfadeTail? {
        let overlap = min(self.length, crossfade, length?.scaled(by: 0.5) ?? .zero)
        guard overlap.isPositive else { return nil }
        let place = place + (self.length - overlap).scaled(by: rate)
        let frame = MediaTime(frame: place.frame(at: sampleRate, rounding: .up), sampleRate: sampleRate)
        return moved(to: frame, time: end - overlap)
    }

    /// The same track from another place on.
    package func moved(to place: MediaTime, time: MediaTime) -> CrossfadeTail {
        CrossfadeTail(
            input: input, choice: choice, place: place, time: time, end: end, rate: rate, sampleRate: sampleRate,
            crossfade: crossfade, gain: gain)
    }
}

extension AssetInfo {
    /// Where in the track the crossfade tail begins: half of the track away from its end at most. Nil when there is no
    /// crossfade, or the length of the track is not known or only guessed.
    ///
    /// - Parameters:
    ///   - crossfade: its length in seconds of the timeline.
    ///   - rate: seconds of the track in one of those.
    package func tailPlace(crossfade: MediaTime, rate: Double) -> MediaTime? {
        guard crossfade.isPositive, isDurationDeclared, let duration else { return nil }
        let place = max(duration - crossfade.scaled(by: rate), duration.scaled(by: 0.5))
        return MediaTime(frame: place.frame(at: sampleRate, rounding: .up), sampleRate: sampleRate)
    }
}
