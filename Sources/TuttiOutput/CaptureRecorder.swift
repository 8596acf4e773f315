import Glibc
import Synchronization
import TuttiCore
package import TuttiHost

/// Records from a microphone or a line-in on a thread of its own until it is told to stop.
package final class CaptureRecorder: Sendable {
    /// What was recorded.
    package struct Recording: Sendable {
        /// Interleaved, full scale at ±1.
        package var samples: [Float]
        package var channelCount: Int
        /// Frames a second.
        package var sampleRate: Int
        /// Seconds of sound that the device lost on the way, by its stamps.
        package var lostSeconds: Double
        /// Why it ended before its time; nil when it did not.
        package var failure: OutputError?
    }

    private let isStopping = Atomic<Bool>(false)
    private let result = Mutex<Recording?>(nil)
    private let thread = Mutex<ThreadHandle?>(nil)

    /// Opens `device` and begins.
    ///
    /// - Parameters:
    ///   - channelCounts: how many channels will do, the best first.
    ///   - longestSeconds: where a recording ends by itself.
    /// - Throws: `OutputError` when the device cannot be had.
    package init(
        device: String, channelCounts: [UInt32] = CaptureDevice.microphone, clock: HostClock, longestSeconds: Double
    ) throws(OutputError) {
        let box = Box(
            device: try CaptureDevice(device: device, channelCounts: channelCounts, clock: clock), name: device)
        do {
            let handle = try RealtimeThread.spawn(name: "tutti-capture", priority: nil) { [self] in
                let recording = record(box.device, name: box.name, longestSeconds: longestSeconds)
                result.withLock { $0 = recording }
            }
            thread.withLock { $0 = handle }
        } catch {
            throw .file(error)
        }
    }

    /// The device on its way to the thread, which alone uses it from then on.
    private struct Box: @unchecked Sendable {
        let device: CaptureDevice
        let name: String
    }

    /// Whether the recording is over, by its length or by a failure.
    package var isOver: Bool { result.withLock { $0 != nil } }

    /// Ends the recording and hands it over; nil the second time.
    package func finish() -> Recording? {
        isStopping.store(true, ordering: .relaxed)
        thread.withLock { thread in
            defer { thread = nil }
            return thread
        }?.join()
        return result.withLock { result in
            defer { result = nil }
            return result
        }
    }

    private func record(_ device: CaptureDevice, name: String, longestSeconds: Double) -> Recording {
        let limit = Int(longestSeconds * Double(device.sampleRate)) * device.channelCount
        var recording = Recording(
            samples: [], channelCount: device.channelCount, sampleRate: device.sampleRate, lostSeconds: 0, failure: nil)
        recording.samples.reserveCapacity(limit)
        var first: CaptureDevice.Timing?
        while !isStopping.load(ordering: .relaxed), recording.samples.count < limit {
            switch device.read(into: &recording.samples, timeoutMilliseconds: 100) {
            case .frames(0): continue
            case .frames: break
            case .overrun:
                recording.failure = .failed(device: name, action: "keep up with", code: EPIPE)
                return recording
            case .lost(let code):
                recording.failure = .lost(device: name, code: code)
                return recording
            }
            guard let timing = device.timing() else { continue }
            guard let start = first else {
                first = timing
                continue
            }
            let expected = Double(timing.hostTime.nanoseconds(since: start.hostTime)) * 1e-9
            let counted = Double(timing.frames - start.frames) / Double(device.sampleRate)
            recording.lostSeconds = max(recording.lostSeconds, expected - counted)
        }
        return recording
    }
}
