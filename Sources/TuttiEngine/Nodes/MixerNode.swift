import Synchronization

/// Adds up any number of inputs, each with a volume and a pan. After AVAudioMixerNode.
///
/// Pan: an equal-power law that is 0 dB in the middle. With θ = (pan + 1) · π/4 the left side's gain is √2 · cos θ and
/// the right side's √2 · sin θ; so a side is raised by 3 dB where all sound is on it. A stereo input is balanced by the
/// same gains. Where the output is not stereo, pan has no effect. Changes take 10 ms.
public final class MixerNode: AudioNode, @unchecked Sendable {
    /// Volumes, linear: 0 is silent, 1 leaves sound as it is, 4 is +12 dB.
    public static let volumes = 0.0...4.0
    /// Pans: −1 is left, 1 is right.
    public static let pans = -1.0...1.0

    let parameters = MixerParameters()
    private let inputs = Mutex([Int: (volume: Float, pan: Float)]())

    /// A mixer.
    public override init(name: String = "mixer") { super.init(name: name) }

    override var vertex: GraphModel.Vertex {
        GraphModel.Vertex(
            name: name, inputCount: AudioEngine.Limits.mixerInputs, hasOutput: true, isMixer: true)
    }

    /// The lowest input that nothing is connected to; nil when all are taken.
    public var nextAvailableInputBus: Int? {
        guard let engine else { return 0 }
        return engine.freeBus(of: self)
    }

    /// The volume of everything, 0 … 4. Other numbers are held inside; NaN changes nothing.
    public var outputVolume: Float {
        get { Float(bitPattern: parameters.memory.pointee.outputVolume.load(ordering: .relaxed)) }
        set {
            guard !newValue.isNaN else { return }
            let volume = min(max(newValue, Float(Self.volumes.lowerBound)), Float(Self.volumes.upperBound))
            parameters.memory.pointee.outputVolume.store(volume.bitPattern, ordering: .relaxed)
        }
    }

    /// An input's volume; 1 at first.
    public func volume(onBus bus: Int) -> Float { inputs.withLock { $0[bus]?.volume ?? 1 } }

    /// An input's pan; 0 at first.
    public func pan(onBus bus: Int) -> Float { inputs.withLock { $0[bus]?.pan ?? 0 } }

    /// Sets an input's volume, 0 … 4.
    ///
    /// - Throws: `noSuchBus` or `outOfRange`.
    public func setVolume(_ volume: Float, onBus bus: Int) throws(AudioEngineError) {
        guard Self.volumes.contains(Double(volume)) else {
            throw .outOfRange(name: "volume", value: Double(volume), allowed: Self.volumes)
        }
        try change(bus) { $0.volume = volume }
    }

    /// Sets an input's pan, −1 … 1.
    ///
    /// - Throws: `noSuchBus` or `outOfRange`.
    public func setPan(_ pan: Float, onBus bus: Int) throws(AudioEngineError) {
        guard Self.pans.contains(Double(pan)) else {
            throw .outOfRange(name: "pan", value: Double(pan), allowed: Self.pans)
        }
        try change(bus) { $0.pan = pan }
    }

    private func change(
        _ bus: Int, _ body: (inout (volume: Float, pan: Float)) -> Void
    ) throws(AudioEngineError) {
        guard (0..<AudioEngine.Limits.mixerInputs).contains(bus) else { throw .noSuchBus(node: name, bus: bus) }
        inputs.withLock { inputs in
            var input = inputs[bus] ?? (1, 0)
            body(&input)
            inputs[bus] = input
            parameters.set(volume: input.volume, pan: input.pan, bus: bus)
        }
    }

    override func makeUnit(_ shape: UnitShape) throws(AudioEngineError) -> RenderUnit {
        MixerUnit(shape, parameters)
    }
}
