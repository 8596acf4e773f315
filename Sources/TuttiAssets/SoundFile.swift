package import TuttiCore

/// A sound file that is being written; under its name only once it is complete.
///
/// Dropped before `close`, it is removed. Used by one thread at a time.
package final class SoundFile {
    /// What turns samples into bytes.
    protocol Writer: AnyObject {
        /// Takes interleaved whole frames.
        func write(_ samples: UnsafeBufferPointer<Float>) throws(AudioFileError)
        /// Writes what is left, and the header.
        func finish() throws(AudioFileError)
    }

    /// What it is like.
    package let settings: AudioFileSettings
    /// Frames written.
    package private(set) var frameCount: Int64 = 0
    /// Samples beyond full scale, which integers cut off and decoders of lossy files will; none are counted for floats.
    package private(set) var clippedCount: Int64 = 0
    private let file: PendingFile
    /// Nil once the file is closed.
    private var writer: (any Writer)?

    /// Begins a file.
    ///
    /// - Parameter replacing: whether a file of that name may be replaced.
    /// - Throws: `AudioFileError`.
    package init(_ path: String, _ settings: AudioFileSettings, replacing: Bool) throws(AudioFileError) {
        try settings.validate()
        let file = try PendingFile(path, replacing: replacing)
        writer = try Self.writer(file, settings)
        (self.file, self.settings) = (file, settings)
    }

    private static func writer(
        _ file: PendingFile, _ settings: AudioFileSettings
    ) throws(AudioFileError) -> any Writer {
        if settings.container == .wav { return try WAVFileWriter(file, settings) }
        #if FFmpeg
        return try EncodedFileWriter(file, settings)
        #else
        throw .unsupported(
            "this build writes no .\(settings.container.rawValue) files: it was built without the package trait FFmpeg")
        #endif
    }

    /// Whether a file can be written there, found out before the work.
    ///
    /// - Throws: `AudioFileError`.
    package static func check(_ path: String, replacing: Bool) throws(AudioFileError) {
        try PendingFile(path, replacing: replacing).discard()
    }

    /// Writes interleaved frames; samples that are not finite become silence.
    ///
    /// - Throws: `.unwritable`, as where the disk is full; `.encoder`; `.otherFormat` for half a frame; `.closed`.
    package func write(_ samples: UnsafeBufferPointer<Float>) throws(AudioFileError) {
        guard let writer else { throw .closed(file.path) }
        guard samples.count.isMultiple(of: settings.channelCount) else {
            throw .otherFormat(sampleRate: settings.sampleRate, channelCount: settings.channelCount)
        }
        let (beyond, strange) = Self.examine(samples)
        if settings.container != .wav || settings.sampleFormat != .float32 { clippedCount += Int64(beyond) }
        if strange > 0 {
            let repaired = samples.map { $0.isFinite ? $0 : 0 }
            try repaired.withUnsafeBufferPointer { (buffer) throws(AudioFileError) in try writer.write(buffer) }
        } else {
            try writer.write(samples)
        }
        frameCount += Int64(samples.count / settings.channelCount)
    }

    /// Samples beyond full scale, and samples that are not finite.
    private static func examine(_ samples: UnsafeBufferPointer<Float>) -> (beyond: Int, strange: Int) {
        var (beyond, strange): (Int32, Int32) = (0, 0)
        var index = 0
        while index < samples.count {
            let level = abs(samples[index])
            beyond &+= level > 1 ? 1 : 0
            // NaN is not less than anything.
            strange &+= level < .infinity ? 0 : 1
            index &+= 1
        }
        return (Int(beyond), Int(strange))
    }

    /// Completes the file and gives it its name.
    ///
    /// - Throws: `.unwritable`, `.encoder`, `.exists`; nothing is left of the file then. `.closed`.
    package func close() throws(AudioFileError) {
        guard let writer else { throw .closed(file.path) }
        self.writer = nil
        do throws(AudioFileError) {
            try writer.finish()
            try file.commit()
        } catch {
            file.discard()
            throw error
        }
    }

    /// Removes the file, unless it is complete.
    package func discard() {
        writer = nil
        file.discard()
    }
}
