import TuttiCore
package import TuttiOutput

/// An open device in numbers. What `OutputDevice.actual` says is not asked for while it runs: its texts are counted
/// whenever it is handed out.
package struct DeviceShape: Sendable, Equatable {
    /// Frames between two wake-ups.
    package let periodFrames: Int
    /// Frames that the device holds.
    package let bufferFrames: Int
    /// Frames a second.
    package let sampleRate: Int
    package let channels: Int
    /// Bits of a sample that the card takes.
    package let sampleBits: Int

    package init(_ actual: OutputParameters) {
        (periodFrames, bufferFrames, sampleRate) = (actual.periodFrames, actual.bufferFrames, actual.sampleRate)
        (channels, sampleBits) = (actual.channelCount, actual.sampleType.bitDepth)
    }

    /// How long so many frames take at the nominal rate, in ns. RT.
    func nanoseconds(_ frames: Int64) -> Int64 { frames * 1_000_000_000 / Int64(sampleRate) }

    /// Latencies from here on leave the time to keep the card full, in ns.
    private static let unhurried: Int64 = 200_000_000

    /// Frames that the card is to hold at most for what plays so many nanoseconds after its capture: as much as it can,
    /// or whole periods of at most half the time, but two; 0 ns for what is not live. RT.
    func depth(captureLatency: Int64) -> Int {
        guard captureLatency > 0, captureLatency < Self.unhurried else { return bufferFrames }
        let frames = captureLatency / 2 * Int64(sampleRate) / 1_000_000_000
        let periods = max(2, Int(frames) / periodFrames)
        return bufferFrames - max(0, bufferFrames / periodFrames - periods) * periodFrames
    }

    /// How long a period lasts, in ns. RT.
    var period: Int64 { nanoseconds(Int64(periodFrames)) }
}
