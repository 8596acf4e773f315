/// The curve of every fade: from 0 at 0 to 1 at 1, level at both ends; `fade(t) + fade(1 − t)` is 1.
@inline(__always)
func fade(_ t: Float) -> Float {
    let x = min(max(t, 0), 1)
    return x * x * (3 - 2 * x)
}

/// A little sound that is played out under a fade while something else takes over: what a deck would have
/// played had it not jumped, or, when its data ran out, its last milliseconds in reverse.
///
/// RT after `init`: no allocation.
struct FadeTail: ~Copyable {
    /// Frames that fit, in the tail and in the history.
    let capacity: Int
    /// Room for a tail to be made in; interleaved stereo.
    let samples: UnsafeMutablePointer<Float>
    private let history: UnsafeMutablePointer<Float>
    private var length = 0
    private var played = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        samples = .allocate(capacity: 2 * self.capacity)
        samples.initialize(repeating: 0, count: 2 * self.capacity)
        history = .allocate(capacity: 2 * self.capacity)
        history.initialize(repeating: 0, count: 2 * self.capacity)
    }

    deinit {
        samples.deallocate()
        history.deallocate()
    }

    /// True while there is something left to play.
    var isActive: Bool { played < length }

    /// Forgets tail and history.
    mutating func clear() {
        (length, played) = (0, 0)
        history.update(repeating: 0, count: 2 * capacity)
    }

    /// Begins to play the first `frames` frames of `samples`.
    mutating func start(frames: Int) { (length, played) = (min(frames, capacity), 0) }

    /// Fills `samples` from frame `from` up to `to` with what was played last, in reverse: the `made` frames at
    /// `output`, then the history. The sound stays continuous there without a look ahead.
    mutating func mirror(_ output: UnsafeMutablePointer<Float>, made: Int, from: Int, to: Int) {
        var index = from
        while index < min(to, capacity) {
            let back = made - 1 - (index - from)
            let source = back >= 0 ? output + 2 * back : history + 2 * max(0, capacity + back)
            samples[2 * index] = source[0]
            samples[2 * index + 1] = source[1]
            index += 1
        }
    }

    /// Adds what is left to frames `from` ..< `to` of `output`, fading out.
    mutating func overlay(_ output: UnsafeMutablePointer<Float>, from: Int, to: Int) {
        var index = from
        while index < to && played < length {
            let gain = 1 - fade((Float(played) + 0.5) / Float(length))
            output[2 * index] += gain * samples[2 * played]
            output[2 * index + 1] += gain * samples[2 * played + 1]
            played += 1
            index += 1
        }
    }

    /// Keeps the last frames of what was played.
    func remember(_ output: UnsafeMutablePointer<Float>, frames: Int) {
        if frames >= capacity {
            history.update(from: output + 2 * (frames - capacity), count: 2 * capacity)
        } else {
            history.update(from: history + 2 * frames, count: 2 * (capacity - frames))
            (history + 2 * (capacity - frames)).update(from: output, count: 2 * frames)
        }
    }
}
