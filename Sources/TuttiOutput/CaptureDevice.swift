import CALSA
import Glibc
package import TuttiCore
package import TuttiHost

/// An ALSA PCM that records: a microphone, a line-in. Used by one thread at a time.
package final class CaptureDevice {
    /// How many frames had been taken at an instant of this host.
    package struct Timing: Sendable, Equatable {
        /// When the card said so.
        package var hostTime: HostTime
        /// Frames since the start, those included that have not been read yet.
        package var frames: Int64
    }

    /// What a read gave.
    package enum Outcome: Sendable, Equatable {
        /// So many frames, perhaps none within the time.
        case frames(Int)
        /// Frames were lost: the device ran full.
        case overrun
        /// The device is gone; an `errno`.
        case lost(Int32)
    }

    /// Frames a second.
    package let sampleRate: Int
    /// Interleaved channels: 1 or 2.
    package let channelCount: Int
    /// Significant bits of a sample.
    package var bitDepth: Int { sampleType.bitDepth }

    /// The channels of a microphone: one is enough.
    package static let microphone: [UInt32] = [1, 2]
    /// Those of a line-in with a room on each.
    package static let stereo: [UInt32] = [2]

    private let pcm: OpaquePointer
    private let status: OpaquePointer
    private let stamps: ALSAStamps
    private let sampleType: SampleLayout
    private let periodFrames: Int
    private var bytes: [UInt8]
    private var taken: Int64 = 0

    /// µs that the card may collect, and that it usually collects at a time.
    private static let bufferTime: UInt32 = 500_000
    package static let usualPeriodTime: UInt32 = 20_000

    /// Opens a device, at 48 kHz where it can.
    ///
    /// - Parameters:
    ///   - channelCounts: how many channels will do, the best first.
    ///   - periodTime: how much it collects before it says so, in µs.
    /// - Throws: `OutputError.cannotOpen`, `.unsupported` or `.failed`.
    package init(
        device: String, channelCounts: [UInt32] = CaptureDevice.microphone, clock: HostClock,
        periodTime: UInt32 = CaptureDevice.usualPeriodTime
    ) throws(OutputError) {
        tutti_alsa_silence()
        guard !device.isEmpty, !device.utf8.contains(0) else {
            throw .invalidDevice(device: device, reason: "it is not a valid name")
        }
        var opened: OpaquePointer?
        let code = snd_pcm_open(&opened, device, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
        guard code >= 0, let opened else { throw .cannotOpen(device: device, code: -code) }
        do throws(OutputError) {
            let agreed = try CaptureNegotiation(pcm: opened, device: device, channelCounts: channelCounts)
                .negotiate(bufferTime: Self.bufferTime, periodTime: periodTime)
            (sampleRate, channelCount, sampleType) = (agreed.sampleRate, agreed.channelCount, agreed.sampleType)
            periodFrames = max(1, agreed.sampleRate / 50)
            var status: OpaquePointer?
            guard snd_pcm_status_malloc(&status) >= 0, let status else {
                throw OutputError.failed(device: device, action: "query", code: ENOMEM)
            }
            self.status = status
        } catch {
            snd_pcm_close(opened)
            throw error
        }
        pcm = opened
        stamps = ALSAStamps(clock: clock, kind: ALSANegotiation.stampClock(of: opened))
        bytes = [UInt8](repeating: 0, count: periodFrames * channelCount * sampleType.bytesPerSample)
        let started = snd_pcm_start(opened)
        if started < 0 { throw .failed(device: device, action: "start", code: -started) }
    }

    deinit {
        snd_pcm_drop(pcm)
        snd_pcm_close(pcm)
        snd_pcm_status_free(status)
    }

    /// Appends what has come to `samples`, interleaved, full scale at ±1; waits for it as long as told.
    package func read(into samples: inout [Float], timeoutMilliseconds: Int32) -> Outcome {
        let ready = snd_pcm_wait(pcm, timeoutMilliseconds)
        if ready < 0 { return outcome(of: ready) }
        let count = bytes.withUnsafeMutableBytes { snd_pcm_readi(pcm, $0.baseAddress, UInt(periodFrames)) }
        if count < 0 { return outcome(of: Int32(truncatingIfNeeded: count)) }
        taken += Int64(count)
        bytes.withUnsafeBytes { raw in
            for index in 0..<count * channelCount { samples.append(sampleType.float(in: raw, at: index)) }
        }
        return .frames(count)
    }

    /// When how much had been taken; nil when the device does not say.
    package func timing() -> Timing? {
        let before = HostClock.rawNow()
        guard snd_pcm_status(pcm, status) >= 0 else { return nil }
        let after = HostClock.rawNow()
        var stamp = timespec()
        snd_pcm_status_get_htstamp(status, &stamp)
        let (time, _) = stamps.hostTime(
            of: Int64(stamp.tv_sec) &* 1_000_000_000 &+ Int64(stamp.tv_nsec), before: before, after: after)
        return Timing(hostTime: time, frames: taken + Int64(clamping: snd_pcm_status_get_avail(status)))
    }

    private func outcome(of code: Int32) -> Outcome {
        switch -code {
        case EAGAIN, EINTR: .frames(0)
        case EPIPE, ESTRPIPE: .overrun
        default: .lost(-code)
        }
    }
}

extension SampleLayout {
    /// The sample number `index` as a float; 0 outside of the bytes.
    fileprivate func float(in raw: UnsafeRawBufferPointer, at index: Int) -> Float {
        let offset = index * bytesPerSample
        guard offset >= 0, offset + bytesPerSample <= raw.count else { return 0 }
        switch self {
        case .int16: return Float(raw.loadUnaligned(fromByteOffset: offset, as: Int16.self)) / 32_768
        case .int24:
            let high = Int32(Int8(bitPattern: raw[offset + 2])) << 16
            return Float(high | Int32(raw[offset + 1]) << 8 | Int32(raw[offset])) / 8_388_608
        case .int24in32:
            // The uppermost byte is anything.
            let value = raw.loadUnaligned(fromByteOffset: offset, as: Int32.self)
            return Float((value << 8) >> 8) / 8_388_608
        case .int32: return Float(raw.loadUnaligned(fromByteOffset: offset, as: Int32.self)) / 2_147_483_648
        case .float32: return raw.loadUnaligned(fromByteOffset: offset, as: Float.self)
        }
    }
}
