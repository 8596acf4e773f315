import Synchronization
import TuttiEffects

/// The render thread's half of a mixer.
final class MixerUnit: RenderUnit, @unchecked Sendable {
    /// Seconds that a change of gain takes.
    private static let rampTime = 0.01

    private struct Bus {
        var left = SmoothRamp(1)
        var right = SmoothRamp(1)
    }

    private let parameters: UnsafeMutablePointer<MixerParameters.Memory>
    private let busParameters: UnsafeMutablePointer<MixerParameters.Bus>
    private let owner: MixerParameters
    private let buses: UnsafeMutablePointer<Bus>
    private let outputRamp: UnsafeMutablePointer<SmoothRamp>
    private let rampFrames: Int

    init(_ shape: UnitShape, _ owner: MixerParameters) {
        self.owner = owner
        (parameters, busParameters) = (owner.memory, owner.buses)
        buses = .allocate(capacity: AudioEngine.Limits.mixerInputs)
        buses.initialize(repeating: Bus(), count: AudioEngine.Limits.mixerInputs)
        outputRamp = .allocate(capacity: 1)
        outputRamp.initialize(
            to: SmoothRamp(Float(bitPattern: owner.memory.pointee.outputVolume.load(ordering: .relaxed))))
        rampFrames = max(1, Int(Double(shape.format.sampleRate) * Self.rampTime))
        super.init(shape)
    }

    deinit {
        buses.deallocate()
        outputRamp.deallocate()
    }

    override func render(_ call: RenderCall) {
        if call.inputCount == 0 { output.clear(from: 0, frames: call.frames) }
        var index = 0
        while index < call.inputCount, let input = call.inputs?[index] {
            let bus = buses + input.bus
            setTargets(bus, input)
            var channel = 0
            while channel < output.count {
                let source = input.planes[channel]
                if channel == 1, output.count == 2 {
                    bus.pointee.right.apply(source, to: output[channel], frames: call.frames, adding: index > 0)
                } else {
                    bus.pointee.left.apply(source, to: output[channel], frames: call.frames, adding: index > 0)
                }
                channel += 1
            }
            bus.pointee.left.advance(call.frames)
            bus.pointee.right.advance(call.frames)
            index += 1
        }
        applyOutputVolume(call.frames)
    }

    private func setTargets(_ bus: UnsafeMutablePointer<Bus>, _ input: RenderInput) {
        var (left, right) = MixerParameters.unpack(busParameters[input.bus].sides.load(ordering: .relaxed))
        if output.count != 2 {
            left = Float(bitPattern: busParameters[input.bus].volume.load(ordering: .relaxed))
            right = left
        }
        if input.isFirst {
            bus.pointee.left.jump(to: left)
            bus.pointee.right.jump(to: right)
        } else {
            bus.pointee.left.go(to: left, frames: rampFrames)
            bus.pointee.right.go(to: right, frames: rampFrames)
        }
    }

    private func applyOutputVolume(_ frames: Int) {
        outputRamp.pointee.go(
            to: Float(bitPattern: parameters.pointee.outputVolume.load(ordering: .relaxed)), frames: rampFrames)
        guard !outputRamp.pointee.isResting || outputRamp.pointee.target != 1 else { return }
        var channel = 0
        while channel < output.count {
            outputRamp.pointee.apply(output[channel], to: output[channel], frames: frames, adding: false)
            channel += 1
        }
        outputRamp.pointee.advance(frames)
    }
}
