import TuttiEffects

/// Where an engine's sound ends: at its output, or in the buffers of manual rendering.
public final class OutputNode: AudioNode, @unchecked Sendable {
    init() { super.init(name: "output") }

    override var vertex: GraphModel.Vertex {
        GraphModel.Vertex(name: name, inputCount: 1, hasOutput: false, isMixer: true)
    }

    override func makeUnit(_ shape: UnitShape) throws(AudioEngineError) -> RenderUnit { OutputUnit(shape) }
}

final class OutputUnit: RenderUnit, @unchecked Sendable {
    override func render(_ call: RenderCall) {
        if let inputs = call.inputs, call.inputCount > 0 {
            output.copy(inputs[0].planes, frames: call.frames)
        } else {
            output.clear(from: 0, frames: call.frames)
        }
    }
}
