import Glibc
import TuttiChain

extension ImpulseResponse {
    /// What a convolution's gain may be, in dB.
    private static let gains = -60.0...24.0

    /// The response as a processor of `shape` needs it: checked, resampled, with the settings' gain.
    func coefficients(
        for settings: Convolution, shape: AudioProcessor.Shape
    ) throws(EffectError) -> [[Double]] {
        guard Self.gains.contains(settings.gain) else {
            throw .settings(.outOfRange(name: "gain", value: settings.gain, allowed: Self.gains))
        }
        guard channels.count == 1 || channels.count == shape.channelCount else {
            throw .channelMismatch(impulse: channels.count, sound: shape.channelCount)
        }
        let isFinite = channels.allSatisfy { $0.allSatisfy(\.isFinite) }
        let isHeard = channels.contains { $0.contains { $0 != 0 } }
        guard isFinite, isHeard, let resampled = resampled(to: shape.sampleRate) else {
            throw .unusableImpulse(settings.impulse)
        }
        let gain = pow(10, settings.gain / 20)
        return resampled.map { $0.map { $0 * gain } }
    }
}
