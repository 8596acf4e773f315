import TuttiChain

extension EffectError: CustomStringConvertible {
    /// One line that says what is wrong.
    package var description: String {
        switch self {
        case .settings(let error): "\(error)"
        case .unstable(let frequency, let sampleRate):
            "a filter at \(Self.text(frequency)) Hz needs more than the \(sampleRate) frames a second of this output"
        case .noImpulse(let name): "\(name): there is no such impulse response"
        case .unusableImpulse(let name): "\(name): silent, or not of numbers, and no impulse response"
        case .matrixMismatch(let inputs, let sound):
            "a mix of \(inputs) channels does not fit sound of \(sound); have as many numbers in a row as channels"
        case .channelMismatch(let impulse, let sound):
            "an impulse response of \(impulse) channels does not fit sound of \(sound); it has one, or as many"
        }
    }

    private static func text(_ frequency: Double) -> String {
        guard let whole = Int(exactly: frequency) else { return "\(frequency)" }
        return "\(whole)"
    }
}
