import Glibc
package import TuttiChain

/// A delay: what comes out of a line of memory, mixed with the input; a share of it returns to the line's input.
///
/// A time below half a frame is none: then there is neither delay nor feedback.
package final class DelayProcessor: AudioProcessor {
    /// Frames of delay.
    private let length: Int
    private let feedback, wet, dry: Double
    /// The line of each channel, one after the other.
    private let lines: UnsafeMutablePointer<Float>
    /// Where in the lines the oldest frame lies.
    private let position: UnsafeMutablePointer<Int>

    /// A delay.
    ///
    /// - Throws: `.settings` for values outside their limits.
    package init(_ settings: Delay, _ shape: Shape) throws(EffectError) {
        try EffectError.check(.delay(settings))
        length = Int((settings.time * Double(shape.sampleRate)).rounded())
        feedback = settings.feedback / 100
        wet = settings.wetDryMix / 100
        dry = 1 - wet
        lines = .allocate(capacity: max(1, length * shape.channelCount))
        position = .allocate(capacity: 1)
        lines.initialize(repeating: 0, count: max(1, length * shape.channelCount))
        position.initialize(to: 0)
        super.init(shape)
    }

    deinit {
        lines.deallocate()
        position.deallocate()
    }

    override package var tail: Int {
        guard wet > 0 else { return 0 }
        guard feedback != 0 else { return length }
        let echoes = max(0, (log(1e-5) / log(abs(feedback))).rounded(.up))
        return length * (1 + Int(echoes))
    }

    override package func process(_ planes: Planes, frames: Int) {
        guard length > 0 else { return }
        let start = position.pointee
        var end = start
        var channel = 0
        while channel < shape.channelCount {
            end = run(planes[channel], line: lines + channel * length, from: start, frames: frames)
            channel += 1
        }
        position.pointee = end
    }

    @inline(__always)
    private func run(
        _ plane: UnsafeMutablePointer<Float>, line: UnsafeMutablePointer<Float>, from start: Int, frames: Int
    ) -> Int {
        var index = start
        var frame = 0
        while frame < frames {
            let (input, delayed) = (Double(plane[frame]), Double(line[index]))
            line[index] = Float(input + feedback * delayed)
            plane[frame] = Float(dry * input + wet * delayed)
            index += 1
            if index == length { index = 0 }
            frame += 1
        }
        return index
    }

    override package func reset() {
        lines.update(repeating: 0, count: max(1, length * shape.channelCount))
        position.pointee = 0
    }
}
