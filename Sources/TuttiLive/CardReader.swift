import TuttiCore
import TuttiHost
import TuttiOutput

/// Live sound from an ALSA PCM that records.
final class CardReader: LiveReader {
    private let device: CaptureDevice
    private var pending: [Float] = []

    /// - Throws: `OutputError.cannotOpen`, `.unsupported` or `.failed`.
    init(_ name: String, latency: Int64, clock: HostClock) throws(OutputError) {
        // A tenth of the latency, in µs.
        let period = UInt32(min(max(latency / 10_000, 2_000), 20_000))
        device = try CaptureDevice(device: name, channelCounts: [2, 1], clock: clock, periodTime: period)
    }

    var sampleRate: Int { device.sampleRate }
    var bitDepth: Int { device.bitDepth }
    var channelCount: Int { device.channelCount }
    var isUnpaced: Bool { false }

    func read(into samples: inout [Float], milliseconds: Int32) throws(LiveEnd) -> Int {
        pending.removeAll(keepingCapacity: true)
        switch device.read(into: &pending, timeoutMilliseconds: milliseconds) {
        case .frames(let count):
            if device.channelCount == 2 {
                samples += pending
            } else {
                for sample in pending { samples += [sample, sample] }
            }
            return count
        case .overrun: throw .overrun
        case .lost(let code): throw .gone(HostError.text(ofErrno: code))
        }
    }

    func timing() -> (time: HostTime, frames: Int64)? { device.timing().map { ($0.hostTime, $0.frames) } }
}
