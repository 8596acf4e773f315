import Synchronization
package import TuttiChain
package import TuttiEffects

/// A node with all effects of a chain, whose settings are for good.
package final class EffectChainNode: AudioNode, @unchecked Sendable {
    private let chain: EffectChain
    private let impulses: [String: ImpulseResponse]
    private let processorTail = Atomic<Int>(0)

    /// A chain.
    ///
    /// - Parameter impulses: impulse responses by the names that the chain's convolutions have.
    package init(_ chain: EffectChain, impulses: [String: ImpulseResponse], name: String = "chain") {
        (self.chain, self.impulses) = (chain, impulses)
        super.init(name: name)
    }

    /// Frames after the end of the input in which there may be sound above −100 dB, once the engine has prepared the
    /// node; `Int.max` where it never ends.
    package var tail: Int { processorTail.load(ordering: .relaxed) }

    override var vertex: GraphModel.Vertex { GraphModel.Vertex(name: name, inputCount: 1, hasOutput: true) }

    override func makeUnit(_ shape: UnitShape) throws(AudioEngineError) -> RenderUnit {
        do throws(EffectError) {
            let processor = try ChainProcessor(chain, impulses: impulses, EffectUnit.processorShape(shape))
            guard processor.outputChannelCount == shape.format.channelCount else {
                throw .matrixMismatch(inputs: processor.outputChannelCount, sound: shape.format.channelCount)
            }
            processorTail.store(processor.tail, ordering: .relaxed)
            return EffectUnit(shape, processor, version: 0)
        } catch {
            throw .invalidEffect(node: name, reason: "\(error)")
        }
    }
}
