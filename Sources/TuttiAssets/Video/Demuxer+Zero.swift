#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiCore
import TuttiFFmpeg

extension Demuxer {
    /// The medium's own time of what is zero to the input's sound.
    ///
    /// - Parameters:
    ///   - sound: the open asset of the same input; without it the input is opened once more to find that out. Where
    ///     its bytes come only once that cannot be done, and the pictures' own beginning is zero.
    ///   - pictures: the stream that begins at zero where there is no sound.
    func zero(
        sound: Asset?, pictures: UnsafeMutablePointer<AVStream>?, _ interrupter: Interrupter, _ policy: ReconnectPolicy
    ) throws(AssetError) -> MediaTime {
        var sound = sound
        if sound == nil, !input.isReadOnce, hasSound {
            do throws(AssetError) {
                sound = try Asset.open(input, interrupter: interrupter, policy: policy)
            } catch {
                switch error {
                case .interrupted, .network, .unreadable, .notFound: throw error
                // Sound that does not play is none.
                default: break
                }
            }
        }
        if let zero = sound?.mediumZero { return zero }
        let start = pictures?.pointee.start_time ?? tutti_no_pts()
        let first = start == tutti_no_pts() ? nil : pictures.flatMap { FilmTimeline($0)?.time(start) }
        return (first ?? .zero) + input.start
    }
}

extension Asset {
    /// The medium's own time, as its timestamps count, of the asset's first frame.
    fileprivate var mediumZero: MediaTime? {
        stream.firstTime.map { $0 + MediaTime(frame: firstFrame, sampleRate: info.sampleRate) }
    }
}
#endif
