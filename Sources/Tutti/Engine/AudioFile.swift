import TuttiAssets
public import TuttiCore
public import TuttiEngine
import TuttiExport
public import TuttiPlayback

/// A sound file for an engine's players, after AVAudioFile for reading. It comes as stereo at the file's own rate; a file of
/// one channel has it on both sides.
public final class AudioFile: AudioFileReading {
    private let input: ExportInput

    /// Opens a file or an `http(s)` address.
    ///
    /// - Throws: `media`, which says what is wrong with it.
    public init(forReading uri: String) throws(PlaybackError) {
        do throws(AssetError) {
            input = try ExportInput(AssetInput(uri: uri), interrupter: Interrupter())
        } catch {
            throw .media(error.description)
        }
    }

    /// What is read.
    public var format: EngineFormat { input.format }
    /// Frames from the beginning to the end; very many where nobody knows, as of live streams.
    public var length: Int64 { input.length }

    /// The next frames; none at the end. What is damaged comes as silence, or ends the sound.
    public func read(frameCount: Int) throws -> PCMBlock { try input.read(frameCount: frameCount) }

    /// Reads on at a frame, 0 … `length`.
    ///
    /// - Throws: where the source cannot go back.
    public func seek(to frame: Int64) throws { try input.seek(to: frame) }
}
