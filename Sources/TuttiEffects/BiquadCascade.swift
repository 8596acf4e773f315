import CKernels

/// Filters one after the other over the channels of a shape, computed in 64 bits, with their coefficients and state.
///
/// Channels go by twos, filters by up to eight at once (`biquad.h`). RT after `init`.
struct BiquadCascade: ~Copyable {
    /// Frames that go through all filters before the next ones: with them a pair of channels stays in the first cache.
    private static let blockFrames = 512
    private static let width = Int(TUTTI_BIQUAD_WIDTH)
    /// Doubles of a vector, of a vector's coefficients and of its state.
    private static let (lanes, coefficientCount, stateCount) = (4, 20, 8)

    /// Filters that do something.
    let count: Int
    private let channelCount: Int
    /// Vectors of all filters; each has two of them.
    private let vectorCount: Int
    private let isWide: Bool
    private let coefficients: UnsafeMutablePointer<Double>
    /// State of the first two channels' filters, then of the next two's.
    private let state: UnsafeMutablePointer<Double>
    private let frames: UnsafeMutablePointer<Double>
    /// What an odd last channel is paired with.
    private let silence: UnsafeMutablePointer<Float>

    /// A cascade; filters that change nothing are left out.
    ///
    /// - Parameter isWide: whether to use AVX2 and FMA; nil where this processor has them.
    init(_ biquads: [Biquad], channelCount: Int, isWide: Bool? = nil) {
        let active = biquads.filter { !$0.isIdentity }
        count = active.count
        self.channelCount = channelCount
        vectorCount = (active.count + 1) / 2
        self.isWide = isWide ?? (tutti_has_wide() != 0)
        coefficients = .allocate(capacity: max(1, vectorCount * Self.coefficientCount))
        state = .allocate(capacity: max(1, vectorCount * Self.stateCount * ((channelCount + 1) / 2)))
        frames = .allocate(capacity: 2 * Self.blockFrames)
        frames.initialize(repeating: 0, count: 2 * Self.blockFrames)
        silence = .allocate(capacity: Self.blockFrames)
        silence.initialize(repeating: 0, count: Self.blockFrames)
        var first = 0
        while first < vectorCount {
            let width = Self.width(of: vectorCount - first)
            for filter in 0..<(2 * width) {
                let index = 2 * first + filter
                let biquad = index < active.count ? active[index] : .identity
                let values = [biquad.b0, biquad.b1, biquad.b2, biquad.a1, biquad.a2]
                let vector = coefficients + (first + filter % width) * Self.coefficientCount
                for (number, value) in values.enumerated() {
                    let lane = vector + number * Self.lanes + filter / width * 2
                    lane.initialize(repeating: value, count: 2)
                }
            }
            first += width
        }
        reset()
    }

    deinit {
        coefficients.deallocate()
        state.deallocate()
        frames.deallocate()
        silence.deallocate()
    }

    /// Forgets everything heard.
    func reset() {
        let pairs = (channelCount + 1) / 2
        state.initialize(repeating: 0, count: max(1, vectorCount * Self.stateCount * pairs))
    }

    /// Vectors of the next tile where `remaining` are left: as many as fit, but none left for a tile of their own, which
    /// would wait for itself.
    @inline(__always)
    private static func width(of remaining: Int) -> Int {
        let tiles = (remaining + width - 1) / width
        return (remaining + tiles - 1) / tiles
    }

    /// Filters `frameCount` frames in place; without a filter they stay as they are.
    func process(_ planes: Planes, frames frameCount: Int) {
        guard vectorCount > 0 else { return }
        var channel = 0
        while channel < channelCount {
            let left = planes[channel]
            let hasRight = channel + 1 < channelCount
            let pairState = state + channel / 2 * vectorCount * Self.stateCount
            var done = 0
            while done < frameCount {
                let count = min(Self.blockFrames, frameCount - done)
                let right = hasRight ? planes[channel + 1] + done : silence
                tutti_interleave(left + done, right, frames, count)
                filter(pairState, count)
                tutti_deinterleave(frames, left + done, right, count)
                if !hasRight { silence.update(repeating: 0, count: count) }
                done += count
            }
            channel += 2
        }
    }

    @inline(__always)
    private func filter(_ pairState: UnsafeMutablePointer<Double>, _ count: Int) {
        var first = 0
        while first < vectorCount {
            let width = Self.width(of: vectorCount - first)
            let (tile, memory) = (coefficients + first * Self.coefficientCount, pairState + first * Self.stateCount)
            if isWide {
                tutti_biquads_wide(tile, memory, frames, count, width)
            } else {
                tutti_biquads(tile, memory, frames, count, width)
            }
            first += width
        }
    }
}
