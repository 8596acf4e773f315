import Synchronization
import TuttiCore
import TuttiHost

/// What a `file:` device records: a WAV file that can be read at any time, and its timing log.
///
/// The first opening in a process begins the recording again. A later one of the same path resumes at its end, in the
/// form (rate, sample type) that it has, as a card that is opened again stays the card that it is.
final class Recording {
    /// What later openings need to resume.
    private struct Progress: Sendable {
        var header: WAVHeader
        var frames: Int64 = 0
        var runs = 0
        var logBytes: Int64 = 0
    }

    private static let known = Mutex<[String: Progress]>([:])

    private let path: String
    private let file: RecordingFile
    private let log: TimingLog
    private var progress: Progress
    private let frameBytes: Int
    private var headerFrames: Int64 = 0
    private var loggedFrames: Int64 = 0
    private var isRunning = false
    private var isOpen = true

    /// Opens the recording at `path`, in the form of `wanted` when it is a new one.
    ///
    /// - Throws: `OutputError.file`.
    init(path: String, wanted: OutputParameters) throws(OutputError) {
        let header = WAVHeader(
            sampleRate: wanted.sampleRate, channelCount: wanted.channelCount, layout: wanted.sampleType)
        let earlier = Self.known.withLock { $0[path] }
        let progress = earlier ?? Progress(header: header)
        do {
            file = try RecordingFile(path: path, isEmptied: earlier == nil)
            log = try TimingLog(path: path + ".timing.json", end: progress.logBytes)
        } catch { throw .file(error) }
        self.path = path
        self.progress = progress
        frameBytes = progress.header.frameBytes
        writeHeader()
        if let failure { throw .file(failure) }
        Self.known.withLock { $0[path] = progress }
    }

    /// The form of what is recorded.
    var format: WAVHeader { progress.header }

    /// Whether nothing can be recorded any more.
    var isFailed: Bool { file.failureCode != 0 }

    /// Why nothing can be recorded any more.
    var failure: HostError? { file.failure ?? log.failure }

    /// The next frame written is the first of a run whose frame 0 leaves at `t0`.
    func beginRun(t0: Int64, ppm: Double) {
        progress.runs += 1
        loggedFrames = 0
        isRunning = true
        log.beginRun(
            progress.runs, t0: t0, rate: progress.header.sampleRate, ppm: ppm, firstFrame: progress.frames)
    }

    /// Appends whole frames. Allocates nothing.
    func write(_ bytes: UnsafeRawBufferPointer) {
        file.write(bytes, at: Int64(WAVHeader.growingByteCount) + progress.frames * Int64(frameBytes))
        guard !isFailed else { return }
        progress.frames += Int64(bytes.count / frameBytes)
        if progress.frames - headerFrames >= Int64(progress.header.sampleRate / 2) { writeHeader() }
    }

    /// Brings the log up to date when a second has passed. Allocates nothing.
    func noteProgress(playedFrames: Int64) {
        guard isRunning, playedFrames - loggedFrames >= Int64(progress.header.sampleRate) * 9 / 10 else { return }
        loggedFrames = playedFrames
        log.setFrames(playedFrames)
    }

    /// The run is over, `playedFrames` frames of it have left.
    func endRun(playedFrames: Int64) {
        guard isRunning else { return }
        isRunning = false
        log.endRun(frames: playedFrames)
        writeHeader()
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        writeHeader()
        progress.logBytes = log.byteCount
        file.close()
        log.close()
        Self.known.withLock { $0[path] = progress }
    }

    private func writeHeader() {
        headerFrames = progress.frames
        withUnsafeTemporaryAllocation(byteCount: WAVHeader.growingByteCount, alignment: 8) { bytes in
            progress.header.writeGrowing(into: bytes, dataBytes: UInt64(progress.frames) * UInt64(frameBytes))
            file.overwrite(UnsafeRawBufferPointer(bytes), at: 0)
        }
    }
}
