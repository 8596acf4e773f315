import Glibc
import TuttiChain
import TuttiEffects

/// Gains, matrices, and for all other effects a low pass of the first order.
final class StandInProcessor: AudioProcessor {
    private let gains: UnsafeMutablePointer<Float>
    private let memory: UnsafeMutablePointer<Float>
    private let mixed: UnsafeMutablePointer<Float>
    private let coefficient: Float

    init(_ effect: Effect, _ shape: AudioProcessor.Shape) {
        var rows = (0..<shape.channelCount).map { output in
            (0..<shape.channelCount).map { $0 == output ? Float(1) : 0 }
        }
        var coefficient: Float = 1
        switch effect {
        case .gain(let decibels): rows = rows.map { $0.map { $0 * Float(pow(10, decibels / 20)) } }
        case .channels(let matrix): rows = matrix.gains.map { $0.map { Float($0) } }
        default: coefficient = 0.2
        }
        self.coefficient = coefficient
        gains = .allocate(capacity: 64)
        gains.initialize(repeating: 0, count: 64)
        for (output, row) in rows.enumerated() {
            for (input, gain) in row.enumerated() { gains[8 * output + input] = gain }
        }
        memory = .allocate(capacity: 8)
        memory.initialize(repeating: 0, count: 8)
        mixed = .allocate(capacity: 8)
        mixed.initialize(repeating: 0, count: 8)
        super.init(shape, outputChannelCount: rows.count)
    }

    deinit {
        gains.deallocate()
        memory.deallocate()
        mixed.deallocate()
    }

    override func process(_ planes: Planes, frames: Int) {
        let (inputs, outputs) = (shape.channelCount, outputChannelCount)
        var frame = 0
        while frame < frames {
            var output = 0
            while output < outputs {
                var sum: Float = 0
                var input = 0
                while input < inputs {
                    sum += gains[8 * output + input] * planes[input][frame]
                    input += 1
                }
                memory[output] = coefficient == 1 ? sum : memory[output] + (sum - memory[output]) * coefficient
                mixed[output] = memory[output]
                output += 1
            }
            output = 0
            while output < outputs {
                planes[output][frame] = mixed[output]
                output += 1
            }
            frame += 1
        }
    }

    override func reset() { memory.update(repeating: 0, count: 8) }
}
