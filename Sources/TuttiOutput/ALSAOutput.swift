import CALSA
import Glibc
import TuttiCore
import TuttiHost

/// An ALSA PCM: a card, or a plugin in front of one.
final class ALSAOutput: OutputDevice {
    let actual: OutputParameters
    private(set) var wakePeriods = 1
    /// What `setWakePeriods` asked for in vain: there is no point in asking again.
    private var refusedWakePeriods: Int?
    private let pcm: OpaquePointer
    private let status: OpaquePointer
    /// Storage for `setWakePeriods`, which must allocate nothing.
    private let parameters: OpaquePointer
    private let stamps: ALSAStamps
    private let silence: [UInt8]
    private let frameBytes: Int

    private var isOpen = true
    private var isRunning = false
    private var written: Int64 = 0
    /// The last position; nil before a run's first.
    private var played: Int64?
    private var generation: UInt32 = 0
    private var lossCode: Int32 = 0

    /// Opens the PCM that `request` names, with what it can do that is nearest to the request. Does not wait for a
    /// device that is busy, so it is cheap to try again and again.
    ///
    /// - Throws: `OutputError.cannotOpen`, `.unsupported` or `.failed`.
    init(request: OutputRequest, clock: HostClock) throws(OutputError) {
        tutti_alsa_silence()
        let device = request.device
        var opened: OpaquePointer?
        let code = snd_pcm_open(&opened, device, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
        guard code >= 0, let opened else { throw .cannotOpen(device: device, code: -code) }
        do throws(OutputError) {
            actual = try ALSANegotiation(pcm: opened, device: device).negotiate(request)
            var status: OpaquePointer?
            guard snd_pcm_status_malloc(&status) >= 0, let status else {
                throw OutputError.failed(device: device, action: "query", code: ENOMEM)
            }
            self.status = status
            var parameters: OpaquePointer?
            guard snd_pcm_sw_params_malloc(&parameters) >= 0, let parameters else {
                snd_pcm_status_free(status)
                throw OutputError.failed(device: device, action: "query", code: ENOMEM)
            }
            self.parameters = parameters
        } catch {
            snd_pcm_close(opened)
            throw error
        }
        pcm = opened
        stamps = ALSAStamps(clock: clock, kind: ALSANegotiation.stampClock(of: opened))
        frameBytes = actual.bytesPerFrame
        silence = [UInt8](repeating: 0, count: actual.periodFrames * actual.bytesPerFrame)
    }

    deinit {
        close()
        snd_pcm_status_free(status)
        snd_pcm_sw_params_free(parameters)
    }

    var sleeper: any OutputSleeper { ALSASleeper(pcm: pcm) }

    var failure: OutputError? { lossCode == 0 ? nil : .lost(device: actual.name, code: lossCode) }

    func start() throws(OutputError) { try run(silence: actual.bufferFrames) }

    func recover(silence: Int) throws(OutputError) {
        if let failure { throw failure }
        if snd_pcm_state(pcm) == SND_PCM_STATE_SUSPENDED {
            // The card may need a moment after the machine woke; preparing afresh follows either way.
            for _ in 0..<20 where snd_pcm_resume(pcm) == -EAGAIN { usleep(50_000) }
        }
        snd_pcm_drop(pcm)
        try run(silence: min(max(silence, 1), actual.bufferFrames))
    }

    private func run(silence frames: Int) throws(OutputError) {
        isRunning = false
        generation &+= 1
        (written, played) = (0, nil)
        try check(snd_pcm_prepare(pcm), "prepare")
        while written < Int64(frames) {
            let count = min(actual.periodFrames, frames - Int(written))
            let taken = silence.withUnsafeBytes { snd_pcm_writei(pcm, $0.baseAddress, UInt(count)) }
            if taken == -Int(EAGAIN) || taken == 0 { break }
            try check(Int32(taken), "write to")
            written += Int64(taken)
        }
        if snd_pcm_state(pcm) != SND_PCM_STATE_RUNNING { try check(snd_pcm_start(pcm), "start") }
        isRunning = true
    }

    private func check(_ code: Int32, _ action: String) throws(OutputError) {
        guard code < 0 else { return }
        if outcome(of: code) == .lost, let failure { throw failure }
        throw .failed(device: actual.name, action: action, code: -code)
    }

    func setWakePeriods(_ periods: Int) {
        let clamped = min(max(periods, 1), actual.bufferFrames / actual.periodFrames)
        guard clamped != wakePeriods, clamped != refusedWakePeriods else { return }
        let isTaken =
            snd_pcm_sw_params_current(pcm, parameters) >= 0
            && snd_pcm_sw_params_set_avail_min(
                pcm, parameters, snd_pcm_uframes_t(clamped * actual.periodFrames)) >= 0
            && snd_pcm_sw_params(pcm, parameters) >= 0
        guard isTaken else { return refusedWakePeriods = clamped }
        wakePeriods = clamped
    }

    func wait(timeoutNanoseconds: Int64) -> OutputWait {
        if lossCode != 0 { return .lost }
        guard isRunning else { return .xrun }
        let result = ALSASleeper(pcm: pcm).wait(nanoseconds: timeoutNanoseconds)
        if result > 0 { return .writable }
        return result == 0 ? .timeout : outcome(of: result)
    }

    func timing() -> OutputTiming? {
        guard isRunning, lossCode == 0 else { return nil }
        let before = HostClock.rawNow()
        let result = snd_pcm_status(pcm, status)
        let after = HostClock.rawNow()
        guard result >= 0 else {
            _ = outcome(of: result)
            return nil
        }
        let state = snd_pcm_status_get_state(status)
        guard state == SND_PCM_STATE_RUNNING else {
            if state == SND_PCM_STATE_DISCONNECTED { lossCode = ENODEV }
            return nil
        }
        // What a card states may be more than was written, before its first frame leaves or where it counts what lies
        // behind it, and less than nothing. Held inside what was written it would be another number than the card's,
        // and no reading.
        let limit: Int64 = 1 << 40
        let delay = min(max(Int64(snd_pcm_status_get_delay(status)), -limit), limit)
        let room = Int64(clamping: snd_pcm_status_get_avail(status))
        let position = max(played ?? .min, written - delay)
        played = position
        var stamp = timespec()
        snd_pcm_status_get_htstamp(status, &stamp)
        let (time, isDriverStamp) = stamps.hostTime(
            of: Int64(stamp.tv_sec) &* 1_000_000_000 &+ Int64(stamp.tv_nsec), before: before, after: after)
        return OutputTiming(
            hostTime: time, playedFrames: position, queuedFrames: written - position,
            writableFrames: Int(min(max(room, 0), Int64(actual.bufferFrames))), generation: generation,
            isDriverStamp: isDriverStamp, asking: after - before)
    }

    func write(_ bytes: UnsafeRawBufferPointer, frames: Int) -> Int {
        if lossCode != 0 { return OutputWait.lost.rawValue }
        guard isRunning else { return OutputWait.xrun.rawValue }
        let count = max(min(frames, bytes.count / frameBytes), 0)
        guard count > 0 else { return 0 }
        let taken = snd_pcm_writei(pcm, bytes.baseAddress, UInt(count))
        if taken >= 0 {
            written += Int64(taken)
            return taken
        }
        let code = Int32(truncatingIfNeeded: taken)
        return code == -EAGAIN || code == -EINTR ? 0 : outcome(of: code).rawValue
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        isRunning = false
        snd_pcm_drop(pcm)
        snd_pcm_close(pcm)
    }

    /// What a negative code of alsa-lib means; remembers a loss.
    private func outcome(of code: Int32) -> OutputWait {
        switch -code {
        case EPIPE, ESTRPIPE:
            isRunning = false
            return .xrun
        case EAGAIN, EINTR: return .timeout
        case EBADFD where snd_pcm_state(pcm) != SND_PCM_STATE_DISCONNECTED:
            // Not running: stopped behind our back, by a suspend for instance.
            isRunning = false
            return .xrun
        default:
            isRunning = false
            lossCode = -code
            return .lost
        }
    }
}

/// alsa-lib lets several threads wait for a PCM that another one uses.
private struct ALSASleeper: OutputSleeper, @unchecked Sendable {
    let pcm: OpaquePointer

    func now() -> Int64 { HostClock.rawNow() }

    func pause(nanoseconds: Int64) { RealtimeThread.pause(nanoseconds: nanoseconds) }

    func awaitRoom(nanoseconds: Int64) { _ = wait(nanoseconds: nanoseconds) }

    /// What `snd_pcm_wait` says.
    func wait(nanoseconds: Int64) -> Int32 {
        snd_pcm_wait(pcm, Int32(min(max(nanoseconds, 0), 10_000_000_000) / 1_000_000))
    }
}
