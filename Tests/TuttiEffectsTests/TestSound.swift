import TuttiEffects

/// Sound of several channels for a test, and a processor's output for it.
struct TestSound: Equatable {
    var channels: [[Float]]

    init(_ channels: [[Float]]) { self.channels = channels }

    /// White noise of full scale, the same for the same seed.
    static func noise(channels: Int = 2, frames: Int, seed: UInt64 = 1) -> TestSound {
        var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
        return TestSound(
            (0..<channels).map { _ in
                (0..<frames).map { _ in
                    state ^= state << 13
                    state ^= state >> 7
                    state ^= state << 17
                    return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
                }
            })
    }

    /// One sample of full scale in each channel, then silence.
    static func click(channels: Int = 2, frames: Int) -> TestSound {
        TestSound((0..<channels).map { _ in [1] + [Float](repeating: 0, count: frames - 1) })
    }

    var frameCount: Int { channels[0].count }
    var bits: [[UInt32]] { channels.map { $0.map(\.bitPattern) } }

    /// What comes out, in calls of the sizes of `cuts`, one after the other and again from the first.
    func processed(by processor: AudioProcessor, cuts: [Int]) -> TestSound {
        let rooms = channels.map { samples in
            let room = UnsafeMutablePointer<Float>.allocate(capacity: samples.count)
            room.initialize(from: samples, count: samples.count)
            return room
        }
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: rooms.count)
        defer {
            rooms.forEach { $0.deallocate() }
            pointers.deallocate()
        }
        var (start, number) = (0, 0)
        while start < frameCount {
            let count = min(cuts[number % cuts.count], frameCount - start)
            for (channel, room) in rooms.enumerated() { (pointers + channel).initialize(to: room + start) }
            processor.process(Planes(pointers, count: rooms.count), frames: count)
            start += count
            number += 1
        }
        return TestSound(rooms.map { Array(UnsafeBufferPointer(start: $0, count: frameCount)) })
    }
}
