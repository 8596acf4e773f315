#if FFmpeg
import CFFmpeg
import TuttiCore

/// Which of a medium's audio streams is decoded, and how it lies beside the one that the medium suggests.
extension DecodedStream {
    /// Streams that begin further apart, in seconds, have timestamps that are none.
    private static let longestLead = 3_600.0

    /// The stream that is chosen; where it cannot be decoded, the one that the medium suggests.
    static func open(
        _ input: AssetInput, choice: TrackChoice, interrupter: Interrupter, policy: ReconnectPolicy
    ) throws(AssetError) -> DecodedStream {
        do throws(AssetError) {
            return try DecodedStream(input, choice: choice, interrupter: interrupter, policy: policy)
        } catch {
            guard choice != .automatic, !input.isReadOnce, error.isAboutTheStream else { throw error }
            return try DecodedStream(input, interrupter: interrupter, policy: policy)
        }
    }

    /// The medium's own time of frame 0; nil where it is unknown.
    var firstTime: MediaTime? {
        let base = demuxer.timeBase
        return firstTimestamp.flatMap { FilmTimeline(numerator: base.num, timescale: base.den)?.time($0) }
    }

    /// How many frames of the stream lie before the beginning of the stream that the medium suggests; negative where it
    /// begins later than that. Zero where that cannot be told, as where the bytes come only once.
    func lead(_ policy: ReconnectPolicy) throws(AssetError) -> Int64 {
        guard !demuxer.isBestSound, !input.isReadOnce, let firstTime else { return 0 }
        do throws(AssetError) {
            let best = try DecodedStream(input, interrupter: interrupter, policy: policy)
            guard let zero = best.firstTime, abs((zero - firstTime).seconds) < Self.longestLead else { return 0 }
            return (zero - firstTime).frame(at: sampleRate)
        } catch {
            guard error.isAboutTheStream else { throw error }
            return 0
        }
    }
}

extension AssetError {
    /// Whether another stream of the medium may play all the same.
    fileprivate var isAboutTheStream: Bool {
        switch self {
        case .unsupported, .unsupportedSampleRate, .unsupportedChannelCount, .empty, .notAudio, .damaged: true
        default: false
        }
    }
}
#endif
