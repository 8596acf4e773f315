import Glibc

/// Makes a curve without corners out of the gains that single frames allow: never above them, and down in time.
///
/// A gain holds for a window of frames; it is let go exponentially; then three running means one after the other, whose
/// window is as long, bend the curve (its second derivative is continuous). A mean over frames that all allow no more
/// than g is at most g. The means are sums of whole numbers, so that nothing adds up over days.
///
/// RT after `init`.
struct GainSmoother: ~Copyable {
    private struct State {
        /// Gains so far.
        var count = 0
        /// The places of the queue's first and of that after its last element; they only grow.
        var first = 0
        var end = 0
        /// The gain, held and let go.
        var released = 1.0
        /// Where in the rings the oldest number lies, and the rings' sums.
        var place = 0
        var one = 0
        var two = 0
        var three = 0
    }

    /// 1 as a whole number.
    private static let unit = 68_719_476_736.0

    /// Frames by which the curve is later than the gain it obeys.
    let latency: Int
    /// Frames for which a gain holds: it is that of the two frames beside it.
    private let hold: Int
    private let length: Int
    private let letGo: Double
    private let scale: Double
    /// Gains of the window, each less than its successors, and when they came.
    private let gains: UnsafeMutablePointer<Double>
    private let times: UnsafeMutablePointer<Int>
    private let mask: Int
    private let rings: UnsafeMutablePointer<Int>
    private let state: UnsafeMutablePointer<State>

    /// A curve for means of `length` frames each, let go with the time constant `release` in frames.
    init(length: Int, release: Double) {
        self.length = length
        latency = 3 * length - 3
        hold = latency + 2
        letGo = 1 - exp(-1 / release)
        scale = 1 / (Self.unit * Double(length * length * length))
        var capacity = 1
        while capacity < hold + 1 { capacity *= 2 }
        mask = capacity - 1
        gains = .allocate(capacity: capacity)
        times = .allocate(capacity: capacity)
        gains.initialize(repeating: 1, count: capacity)
        times.initialize(repeating: 0, count: capacity)
        rings = .allocate(capacity: 3 * length)
        state = .allocate(capacity: 1)
        reset()
    }

    deinit {
        gains.deallocate()
        times.deallocate()
        rings.deallocate()
        state.deallocate()
    }

    /// As if the gain had been 1 for ever.
    func reset() {
        let one = Int(Self.unit)
        rings.initialize(repeating: one, count: length)
        (rings + length).initialize(repeating: one * length, count: length)
        (rings + 2 * length).initialize(repeating: one * length * length, count: length)
        let (two, three) = (one * length * length, one * length * length * length)
        state.initialize(to: State(one: one * length, two: two, three: three))
    }

    /// Takes the gain (0 … 1) that a frame and its successor allow; returns that of the curve, for the frame that came
    /// `latency` frames ago.
    @inline(__always)
    func next(_ gain: Double) -> Double {
        let lowest = lowest(gain)
        let released = state.pointee.released
        var new = lowest < released ? lowest : released + (lowest - released) * letGo
        if lowest == 1, new > 1 - 1e-9 { new = 1 }
        state.pointee.released = new
        let place = state.pointee.place
        var value = Int(new * Self.unit)
        state.pointee.one += value - rings[place]
        rings[place] = value
        value = state.pointee.one
        state.pointee.two += value - rings[length + place]
        rings[length + place] = value
        value = state.pointee.two
        state.pointee.three += value - rings[2 * length + place]
        rings[2 * length + place] = value
        state.pointee.place = place + 1 == length ? 0 : place + 1
        return Double(state.pointee.three) * scale
    }

    /// The lowest gain of the window.
    @inline(__always)
    private func lowest(_ gain: Double) -> Double {
        let now = state.pointee.count
        var (first, end) = (state.pointee.first, state.pointee.end)
        while end > first, gains[(end - 1) & mask] >= gain { end -= 1 }
        gains[end & mask] = gain
        times[end & mask] = now
        end += 1
        if times[first & mask] <= now - hold { first += 1 }
        state.pointee.count = now + 1
        (state.pointee.first, state.pointee.end) = (first, end)
        return gains[first & mask]
    }
}
