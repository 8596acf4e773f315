import TuttiCore
import TuttiHost
package import TuttiOutput
import TuttiRealtime

/// The memory of one period on its way to the card: as the kernel mixes it, and as the card takes it. RT, but for its
/// making.
package struct PeriodMemory: ~Copyable {
    private let shape: DeviceShape
    /// Interleaved stereo.
    package let floats: UnsafeMutablePointer<Float>
    /// The same for a card that is not one of two channels.
    private let mapped: UnsafeMutablePointer<Float>?
    private let bytes: UnsafeMutableRawBufferPointer
    private var encoder: SampleEncoder

    package init(_ actual: OutputParameters) {
        shape = DeviceShape(actual)
        floats = .allocate(capacity: actual.periodFrames * 2)
        mapped = actual.channelCount == 2 ? nil : .allocate(capacity: actual.periodFrames * actual.channelCount)
        bytes = .allocate(byteCount: actual.periodFrames * actual.bytesPerFrame, alignment: 16)
        encoder = SampleEncoder(kind: actual.sampleType, seed: SystemRandomNumberGenerator.seed())
    }

    deinit {
        floats.deallocate()
        mapped?.deallocate()
        bytes.deallocate()
    }

    /// What the card takes.
    package var encoded: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }

    /// Makes what the card takes of what was mixed.
    package mutating func encode(dither: Bool) {
        guard let target = bytes.baseAddress else { return }
        if let mapped { ChannelLayout.map(floats, frames: shape.periodFrames, channels: shape.channels, into: mapped) }
        encoder.convert(mapped ?? floats, samples: shape.periodFrames * shape.channels, dither: dither, into: target)
    }

    /// The card takes nothing but silence.
    func silence() { bytes.initializeMemory(as: UInt8.self, repeating: 0) }
}
