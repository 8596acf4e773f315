import Glibc
import Synchronization

/// What a mixer is set to, for the render thread to read.
///
/// Guard of `@unchecked Sendable`: atomics only.
final class MixerParameters: @unchecked Sendable {
    struct Bus: ~Copyable {
        /// The left gain's bits below, the right one's above; both contain the volume.
        let sides = Atomic<UInt64>(MixerParameters.pack(1, 1))
        let volume = Atomic<UInt32>(Float(1).bitPattern)
    }

    struct Memory: ~Copyable {
        let outputVolume = Atomic<UInt32>(Float(1).bitPattern)
    }

    let memory: UnsafeMutablePointer<Memory>
    let buses: UnsafeMutablePointer<Bus>

    init() {
        memory = .allocate(capacity: 1)
        memory.initialize(to: Memory())
        buses = .allocate(capacity: AudioEngine.Limits.mixerInputs)
        for bus in 0..<AudioEngine.Limits.mixerInputs { (buses + bus).initialize(to: Bus()) }
    }

    deinit {
        buses.deinitialize(count: AudioEngine.Limits.mixerInputs)
        buses.deallocate()
        memory.deinitialize(count: 1)
        memory.deallocate()
    }

    func set(volume: Float, pan: Float, bus: Int) {
        let gains = Self.panGains(pan)
        buses[bus].sides.store(Self.pack(volume * gains.left, volume * gains.right), ordering: .relaxed)
        buses[bus].volume.store(volume.bitPattern, ordering: .relaxed)
    }

    /// The gains of the sides, as `MixerNode` says.
    static func panGains(_ pan: Float) -> (left: Float, right: Float) {
        if pan == 0 { return (1, 1) }
        // The cosine of the angle as the sine of its complement, which is 0 where it should be.
        func gain(_ pan: Double) -> Float { max(0, Float(2.0.squareRoot() * sin((pan + 1) * .pi / 4))) }
        return (gain(-Double(pan)), gain(Double(pan)))
    }

    static func pack(_ left: Float, _ right: Float) -> UInt64 {
        UInt64(left.bitPattern) | UInt64(right.bitPattern) << 32
    }

    static func unpack(_ bits: UInt64) -> (left: Float, right: Float) {
        (Float(bitPattern: UInt32(truncatingIfNeeded: bits)), Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32)))
    }
}
