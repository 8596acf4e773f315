#if FFmpeg
import CFFmpeg
import TuttiCore
import TuttiFFmpeg

/// Writes FLAC, Opus and AAC through FFmpeg's encoders and containers. What encoders add at either end is marked, so
/// that as many frames are read as were written.
final class EncodedFileWriter: SoundFile.Writer {
    private let file: PendingFile
    private let encoder: FFmpegEncoder
    private let muxer: Muxer

    /// Bits a second where none are chosen.
    private static let (opusBitRate, aacBitRate) = (160_000, 192_000)

    init(_ file: PendingFile, _ settings: AudioFileSettings) throws(AudioFileError) {
        let (coding, format) = Self.coding(settings)
        self.file = file
        do throws(FFmpegError) {
            FFmpegLibrary.prepare()
            encoder = try FFmpegEncoder(
                coding, sampleRate: settings.sampleRate, channelCount: settings.channelCount)
            muxer = try Muxer(file, format: format, encoder: encoder, settings)
        } catch {
            throw Self.error(error, file)
        }
    }

    /// The encoder's settings, and libavformat's name of the container.
    private static func coding(_ settings: AudioFileSettings) -> (FFmpegEncoder.Coding, String) {
        switch settings.container {
        case .opus: (.opus(bitRate: settings.bitRate ?? opusBitRate), "opus")
        case .m4a: (.aac(bitRate: settings.bitRate ?? aacBitRate), "ipod")
        case .wav, .flac:
            (.flac(bitDepth: settings.sampleFormat == .int16 ? 16 : 24, isDithered: settings.isDithered), "flac")
        }
    }

    func write(_ samples: UnsafeBufferPointer<Float>) throws(AudioFileError) {
        do throws(FFmpegError) {
            try encoder.encode(samples) { (packet) throws(FFmpegError) in try muxer.write(packet) }
        } catch {
            throw Self.error(error, file)
        }
    }

    func finish() throws(AudioFileError) {
        do throws(FFmpegError) {
            try encoder.finish { (packet) throws(FFmpegError) in try muxer.write(packet) }
            try muxer.finish()
        } catch {
            throw Self.error(error, file)
        }
    }

    /// What the system says of the file is clearer than what FFmpeg makes of it.
    private static func error(_ error: FFmpegError, _ file: PendingFile) -> AudioFileError {
        if let failure = file.error { return failure }
        if case .unsupported(let what) = error { return .unsupported(what) }
        return .encoder(file.path, reason: error.description)
    }
}
#endif
