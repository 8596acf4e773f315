import Synchronization
import TuttiAssets
public import TuttiCore
public import TuttiPlayback

/// Gives the pictures of a film as coded sample buffers in decoding order, for a `VideoRenderer`: beside the `AssetReader`
/// of the same file, whose times they have.
///
/// Reading blocks; an `http(s)` address may take its time. Calls may come from any thread, one at a time is answered.
public final class VideoAssetReader: Sendable {
    private struct State: ~Copyable {
        let film: FilmReader
    }

    /// What the pictures are, at the beginning.
    public let format: VideoFormat
    /// How long the pictures last; nil where the file does not tell.
    public let duration: MediaTime?
    /// Pictures a second on average; nil where the file does not tell.
    public let frameRate: Double?
    private let start: MediaTime
    private let interrupter = Interrupter()
    private let state: Mutex<State>

    /// Opens a file or an address.
    ///
    /// - Parameters:
    ///   - uri: a path, or an `http://` or `https://` address.
    ///   - start: the media time at which its beginning is to be seen.
    /// - Throws: `media`, which says what is wrong with it: a file without pictures too.
    public init(_ uri: String, startingAt start: MediaTime = .zero) throws(PlaybackError) {
        do throws(AssetError) {
            let film = try FilmReader(AssetInput(uri: uri), interrupter: interrupter)
            (format, duration, frameRate) = (film.track.format, film.track.duration, film.track.frameRate)
            self.start = start
            state = Mutex(State(film: film))
        } catch {
            throw .media(error.description)
        }
    }

    /// The picture that is decoded next; nil at the end. Damaged ones are left out.
    ///
    /// - Throws: `media`: the file is cut off or the address fails.
    public func next() throws(PlaybackError) -> VideoSampleBuffer? {
        try state.withLock { state throws(PlaybackError) in
            do throws(AssetError) {
                return try state.film.next().flatMap(moved)
            } catch {
                throw .media(error.description)
            }
        }
    }

    /// Makes the next picture the last sync picture at or before a media time: those between are decoded, and not seen.
    ///
    /// - Throws: `media` where the source cannot go back.
    public func seek(to time: MediaTime) throws(PlaybackError) {
        try state.withLock { state throws(PlaybackError) in
            do throws(AssetError) {
                try state.film.seek(to: time - start)
            } catch {
                throw .media(error.description)
            }
        }
    }

    /// Lets a reading that waits for the network fail, from any thread. Nothing can be read any more.
    public func cancel() { interrupter.interrupt() }

    private func moved(_ picture: VideoSampleBuffer) -> VideoSampleBuffer? {
        guard start != .zero else { return picture }
        return VideoSampleBuffer(
            format: picture.format, presentationTime: picture.presentationTime + start, duration: picture.duration,
            isSync: picture.isSync, data: picture.data)
    }
}
