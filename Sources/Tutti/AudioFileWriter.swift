import Synchronization
import TuttiAssets
public import TuttiCore

/// Writes a sound file: WAV, FLAC, Opus or AAC. After AVAudioFile for writing.
///
/// The file has its name once `close` has returned, and is complete then; until then it grows under a hidden name beside
/// it. A writer that is dropped before leaves nothing behind. Calls may come from any thread, one at a time is answered.
public final class AudioFileWriter: Sendable {
    private struct State: ~Copyable {
        let file: SoundFile
    }

    /// What the file is like.
    public let settings: AudioFileSettings
    private let state: Mutex<State>

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - path: where it will be. Its ending does not matter; `AudioFileSettings.Container(path:)` tells what people
    ///     expect of it.
    ///   - settings: what the file is like.
    ///   - replacing: whether a file of that name may be replaced.
    /// - Throws: `unsupported` for settings that no file has, or encoders that are missing; `exists`; `unwritable`.
    public init(
        forWriting path: String, settings: AudioFileSettings, replacing: Bool = false
    ) throws(AudioFileError) {
        self.settings = settings
        state = Mutex(State(file: try SoundFile(path, settings, replacing: replacing)))
    }

    /// Frames written so far.
    public var length: Int64 { state.withLock { $0.file.frameCount } }

    /// Samples so far that are beyond full scale, which all files but those of floats cut off.
    public var clippedSampleCount: Int64 { state.withLock { $0.file.clippedCount } }

    /// Writes the frames of a block, which has the file's rate and channels. Samples that are not finite become silence.
    ///
    /// - Throws: `otherFormat`; `unwritable`, as where the disk is full; `encoder`; `closed`. After the middle two nothing
    ///   more can be written.
    public func write(_ block: PCMBlock) throws(AudioFileError) {
        guard block.sampleRate == settings.sampleRate, block.channelCount == settings.channelCount else {
            throw .otherFormat(sampleRate: block.sampleRate, channelCount: block.channelCount)
        }
        try state.withLock { state throws(AudioFileError) in
            try block.samples.withUnsafeBufferPointer { (samples) throws(AudioFileError) in
                try state.file.write(samples)
            }
        }
    }

    /// Completes the file and gives it its name.
    ///
    /// - Throws: `unwritable`, `encoder`, `exists`; nothing is left of the file then. `closed`.
    public func close() throws(AudioFileError) {
        try state.withLock { state throws(AudioFileError) in try state.file.close() }
    }

    /// Removes the file, unless it has been closed.
    public func discard() { state.withLock { $0.file.discard() } }
}
