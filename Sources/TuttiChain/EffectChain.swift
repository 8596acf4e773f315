/// Effects that sound goes through, one after the other.
public struct EffectChain: Sendable, Hashable {
    /// The most effects of a chain.
    public static let maximumCount = 32

    /// The effects, in their order; none leaves sound as it is, bit for bit.
    public var effects: [Effect]

    /// A chain.
    public init(_ effects: [Effect] = []) { self.effects = effects }

    /// The impulse responses that convolutions name, each once, in order.
    public var impulses: [String] {
        var names: [String] = []
        for case .convolution(let settings) in effects where !names.contains(settings.impulse) {
            names.append(settings.impulse)
        }
        return names
    }
}
