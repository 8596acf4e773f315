import TuttiChain
import TuttiEffects

/// A convolution with an impulse response.
public final class ConvolutionNode: EffectNode, @unchecked Sendable {
    private static let impulse = "impulse"

    /// A convolution with the frames of a buffer, at the buffer's sample rate: one channel for all, or one for each.
    ///
    /// - Parameters:
    ///   - impulse: the impulse response.
    ///   - gain: decibels, −60 … 24.
    ///   - hasZeroLatency: whether the sound must not be later than without it. Costs more.
    ///   - name: what errors call it.
    /// - Throws: `invalidEffect` for an empty buffer, or one of more than 524 288 frames.
    public init(
        impulse: PCMBuffer, gain: Double = 0, hasZeroLatency: Bool = false, name: String = "convolution"
    ) throws(AudioEngineError) {
        let response = try Self.response(impulse, name)
        super.init(
            name: name, .convolution(Convolution(impulse: Self.impulse, gain: gain, hasZeroLatency: hasZeroLatency)),
            impulses: [Self.impulse: response])
    }

    /// Sets another impulse response.
    public func setImpulse(_ impulse: PCMBuffer) throws(AudioEngineError) {
        let response = try Self.response(impulse, name)
        try change { $0.impulses = [Self.impulse: response] }
    }

    /// Sets the gain, −60 … 24 dB.
    public func setGain(_ gain: Double) throws(AudioEngineError) {
        guard case .convolution(var convolution) = effect else { return }
        convolution.gain = gain
        try set(.convolution(convolution))
    }

    private static func response(_ buffer: PCMBuffer, _ name: String) throws(AudioEngineError) -> ImpulseResponse {
        let channels = (0..<buffer.format.channelCount).map { Array(buffer.channel($0)) }
        guard let response = ImpulseResponse(channels: channels, sampleRate: buffer.format.sampleRate) else {
            throw .invalidEffect(
                node: name, reason: "an impulse response has 1 to \(ImpulseResponse.maximumFrameCount) frames")
        }
        return response
    }
}
