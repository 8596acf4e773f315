import CFFmpeg

/// What holds for all of FFmpeg's libraries in this process.
package enum FFmpegLibrary {
    private static let silenced: Void = av_log_set_level(AV_LOG_QUIET)

    /// Keeps FFmpeg from writing to standard error: errors are thrown and damage is counted instead. Idempotent.
    package static func prepare() { _ = silenced }
}
