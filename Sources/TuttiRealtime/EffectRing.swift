/// The last frames that decks have made, interleaved stereo, for processors that hear them at different delays.
///
/// RT after `init`: plain memory. It takes no more pages than its delays need.
struct EffectRing: ~Copyable {
    private let memory: LazyMemory
    private let limit: Int
    /// Frames in use; a power of two.
    private var capacity: Int
    /// Frames written, of which the last `capacity` are there.
    private(set) var written = 0

    /// A ring of up to `limit` frames, of which it uses `usual` at first; both are rounded up to powers of two.
    init(limit: Int, usual: Int) {
        self.limit = Self.powerOfTwo(limit)
        capacity = min(Self.powerOfTwo(usual), self.limit)
        memory = LazyMemory(count: 2 * self.limit)
    }

    private static func powerOfTwo(_ count: Int) -> Int {
        var result = 1
        while result < count { result *= 2 }
        return result
    }

    /// Has room for `frames` frames from now on.
    mutating func reserve(_ frames: Int) {
        while capacity < min(frames, limit) {
            // A frame is where it was, or in the new half, which nothing is read from before.
            var frame = max(0, written - capacity)
            while frame < written {
                let (from, to) = (2 * (frame & (capacity - 1)), 2 * (frame & (2 * capacity - 1)))
                (memory.floats[to], memory.floats[to + 1]) = (memory.floats[from], memory.floats[from + 1])
                frame += 1
            }
            capacity *= 2
        }
    }

    /// Adds frames.
    mutating func write(_ samples: UnsafePointer<Float>, frames: Int) {
        var frame = 0
        while frame < frames {
            let place = 2 * ((written + frame) & (capacity - 1))
            (memory.floats[place], memory.floats[place + 1]) = (samples[2 * frame], samples[2 * frame + 1])
            frame += 1
        }
        written += frames
    }

    /// Takes the last frames back, which were silent.
    mutating func drop(_ frames: Int) { written -= min(frames, written) }

    /// Copies the frames that begin `ago` frames before the end.
    func read(_ ago: Int, frames: Int, into output: UnsafeMutablePointer<Float>) {
        let first = written - ago
        var frame = 0
        while frame < frames {
            let place = 2 * ((first + frame) & (capacity - 1))
            (output[2 * frame], output[2 * frame + 1]) = (memory.floats[place], memory.floats[place + 1])
            frame += 1
        }
    }

    /// The same, side by side.
    func read(
        _ ago: Int, frames: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        let first = written - ago
        var frame = 0
        while frame < frames {
            let place = 2 * ((first + frame) & (capacity - 1))
            (left[frame], right[frame]) = (memory.floats[place], memory.floats[place + 1])
            frame += 1
        }
    }
}
