package import TuttiChain

/// Why a processor cannot be made.
package enum EffectError: Error, Sendable, Hashable {
    /// The settings are outside their limits.
    case settings(ChainError)
    /// A filter's frequency is not below half of the sample rate, or its coefficients are not stable.
    case unstable(frequency: Double, sampleRate: Int)
    /// The chain names an impulse response that is not there.
    case noImpulse(String)
    /// The impulse response is silent, or has values that are not numbers.
    case unusableImpulse(String)
    /// A matrix has another number of inputs than the sound has channels.
    case matrixMismatch(inputs: Int, sound: Int)
    /// The impulse response has neither one channel nor as many as the sound.
    case channelMismatch(impulse: Int, sound: Int)
}
