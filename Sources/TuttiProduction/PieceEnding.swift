package import TuttiAssets
package import TuttiCore

/// The last seconds of a piece, into which the next one may come: they are made together with that.
package struct PieceEnding: Sendable {
    package let input: AssetInput
    /// Where in the piece it begins.
    package let place: MediaTime
    /// Where that lies on the timeline: up to there the piece has been made.
    package let time: MediaTime
    /// Where the piece ends on the timeline, by its length.
    package let end: MediaTime
    /// How many seconds of the piece pass in a second of the timeline.
    package let rate: Double
    /// Frames a second of the piece.
    package let sampleRate: Int

    /// The longest that it is heard together with the next one, in seconds of the timeline.
    package let crossfade: MediaTime

    package init(
        input: AssetInput, place: MediaTime, time: MediaTime, end: MediaTime, rate: Double, sampleRate: Int,
        crossfade: MediaTime
    ) {
        (self.input, self.place, self.time, self.end) = (input, place, time, end)
        (self.rate, self.sampleRate, self.crossfade) = (rate, sampleRate, crossfade)
    }

    /// How long the ending is, in seconds of the timeline.
    package var length: MediaTime { end - time }

    /// The part of it that another piece comes into which is no more than `length` long on the timeline, as half of that piece may;
    /// nil when that is not known.
    package func ending(before length: MediaTime?) -> PieceEnding? {
        let overlap = min(self.length, crossfade, length?.scaled(by: 0.5) ?? .zero)
        guard overlap.isPositive else { return nil }
        let place = place + (self.length - overlap).scaled(by: rate)
        let frame = MediaTime(frame: place.frame(at: sampleRate, rounding: .up), sampleRate: sampleRate)
        return moved(to: frame, time: end - overlap)
    }

    /// The same piece from another place on.
    package func moved(to place: MediaTime, time: MediaTime) -> PieceEnding {
        PieceEnding(
            input: input, place: place, time: time, end: end, rate: rate, sampleRate: sampleRate,
            crossfade: crossfade)
    }
}

extension AssetInfo {
    /// Where in the piece the ending begins that is mixed with the next one's beginning: half of the piece away from its end at
    /// most. Nil when there is no crossfade, or the length of the piece is not known or only guessed.
    ///
    /// - Parameters:
    ///   - crossfade: its length in seconds of the timeline.
    ///   - rate: seconds of the piece in one of those.
    package func endingPlace(crossfade: MediaTime, rate: Double) -> MediaTime? {
        guard crossfade.isPositive, isDurationDeclared, let duration else { return nil }
        let place = max(duration - crossfade.scaled(by: rate), duration.scaled(by: 0.5))
        return MediaTime(frame: place.frame(at: sampleRate, rounding: .up), sampleRate: sampleRate)
    }
}
