import TuttiCore
package import TuttiHost

/// A card that does not exist, paced by a clock: `null`, or `file:PATH.wav` when a recording takes what is written.
///
/// Frames go to the recording when they are written; when they "left" is in the recording's timing log.
package final class VirtualOutput<Time: RawTime>: OutputDevice {
    package let actual: OutputParameters
    package private(set) var wakePeriods = 1
    private let clock: HostClock
    private let time: Time
    private let ppm: Double
    private let recording: Recording?
    private let silence: [UInt8]

    private var card: VirtualPosition?
    private var written: Int64 = 0
    private var played: Int64 = 0
    private var generation: UInt32 = 0
    private var isDry = false

    /// Opens the card.
    ///
    /// - Throws: `OutputError.file` when the recording cannot be written.
    package init(
        _ specification: VirtualSpecification, request: OutputRequest, clock: HostClock, time: Time
    ) throws(OutputError) {
        var parameters = specification.parameters(for: request)
        if let path = specification.path {
            let recording = try Recording(path: path, wanted: parameters)
            // A recording that is resumed keeps the form it began with.
            parameters.sampleRate = recording.format.sampleRate
            parameters.sampleType = recording.format.layout
            self.recording = recording
        } else {
            recording = nil
        }
        actual = parameters
        ppm = specification.ppm
        silence = [UInt8](repeating: 0, count: parameters.bufferFrames * parameters.bytesPerFrame)
        self.clock = clock
        self.time = time
    }

    deinit { close() }

    package var sleeper: any OutputSleeper {
        let period = Int64(actual.periodFrames) * 1_000_000_000 / Int64(actual.sampleRate)
        return VirtualSleeper(time: time, step: max(period / 8, 1))
    }

    package var failure: OutputError? { recording?.failure.map { .file($0) } }

    package func start() throws(OutputError) { try run(silence: actual.bufferFrames) }

    package func recover(silence: Int) throws(OutputError) {
        try run(silence: min(max(silence, 1), actual.bufferFrames))
    }

    private func run(silence frames: Int) throws(OutputError) {
        endRun()
        generation &+= 1
        isDry = false
        played = 0
        written = Int64(frames)
        card = VirtualPosition(t0: time.now(), rate: actual.sampleRate, ppm: ppm)
        if let recording, let card {
            recording.beginRun(t0: card.t0, ppm: ppm)
            silence.withUnsafeBytes {
                recording.write(UnsafeRawBufferPointer(rebasing: $0[..<(frames * actual.bytesPerFrame)]))
            }
        }
        if let failure { throw failure }
    }

    private func endRun() {
        update()
        card = nil
        recording?.endRun(playedFrames: played)
    }

    /// Moves the position to now and notices when the card ran dry. Gives the time that the position belongs to.
    @discardableResult
    private func update() -> Int64 {
        let now = time.now()
        guard let card, !isDry else { return now }
        let position = card.position(at: now)
        isDry = position >= written
        played = max(played, min(position, written))
        return now
    }

    package func setWakePeriods(_ periods: Int) {
        wakePeriods = min(max(periods, 1), actual.bufferFrames / actual.periodFrames)
    }

    package func wait(timeoutNanoseconds: Int64) -> OutputWait {
        let wanted = Int64(wakePeriods * actual.periodFrames)
        let deadline = time.now().addingReportingOverflow(max(timeoutNanoseconds, 0))
        while true {
            let now = update()
            if recording?.isFailed == true { return .lost }
            guard let card, !isDry else { return .xrun }
            let room = Int64(actual.bufferFrames) - (written - played)
            if room >= wanted { return .writable }
            let due = card.time(of: written - Int64(actual.bufferFrames) + wanted)
            let remaining = deadline.overflow ? Int64.max : deadline.partialValue - now
            if remaining <= 0 { return .timeout }
            time.pass(nanoseconds: min(max(due - now, 1), remaining))
        }
    }

    package func timing() -> OutputTiming? {
        let now = update()
        guard card != nil, !isDry else { return nil }
        let queued = written - played
        return OutputTiming(
            hostTime: clock.hostTime(raw: now), playedFrames: played, queuedFrames: queued,
            writableFrames: actual.bufferFrames - Int(queued), generation: generation, isDriverStamp: true,
            asking: 0)
    }

    package func write(_ bytes: UnsafeRawBufferPointer, frames: Int) -> Int {
        update()
        if recording?.isFailed == true { return OutputWait.lost.rawValue }
        guard card != nil, !isDry else { return OutputWait.xrun.rawValue }
        let room = actual.bufferFrames - Int(written - played)
        let count = max(min(frames, room, bytes.count / actual.bytesPerFrame), 0)
        guard count > 0 else { return 0 }
        if let recording {
            recording.write(UnsafeRawBufferPointer(rebasing: bytes[0..<count * actual.bytesPerFrame]))
            if recording.isFailed { return OutputWait.lost.rawValue }
            recording.noteProgress(playedFrames: played)
        }
        written += Int64(count)
        return count
    }

    package func close() {
        guard card != nil || recording != nil else { return }
        endRun()
        recording?.close()
    }
}

/// Waits for a virtual card by looking often.
private struct VirtualSleeper<Time: RawTime>: OutputSleeper {
    let time: Time
    /// In ns.
    let step: Int64

    func now() -> Int64 { time.now() }

    func pause(nanoseconds: Int64) { time.pass(nanoseconds: nanoseconds) }

    func awaitRoom(nanoseconds: Int64) { time.pass(nanoseconds: min(nanoseconds, step)) }
}
