import Glibc

/// How an impulse response is divided for a convolution: a direct head, or a latency of as many frames, then stretches
/// of partitions that become larger (W. G. Gardner, "Efficient Convolution without Input-Output Delay", 1995).
package struct ConvolutionLayout: Hashable {
    /// Partitions of one size, one after the other.
    package struct Stretch: Hashable {
        /// Frames of a partition, a power of two.
        package var size: Int
        /// The first coefficient.
        package var offset: Int
        /// Partitions.
        package var count: Int
    }

    /// Frames that the output is late by: 0, or the first stretch's partition.
    package let latency: Int
    /// Coefficients that are computed as they are written; only where nothing is late.
    package let directCount: Int
    /// Frames after which work is done: the size of the first stretch's partitions.
    package let blockSize: Int
    /// Stretches of growing sizes.
    package let stretches: [Stretch]

    /// Beyond this many frames a partition's spectrum has no room in the cache.
    private static let largestSize = 16_384
    /// Stretches that there may be.
    private static let levels = 1...4

    /// The layout that costs least for `taps` coefficients; of nearly equal ones that with the least latency.
    ///
    /// A partition is never longer than a call may be, so that each call has about as much work as any other.
    package init(taps: Int, maximumFrames: Int, hasZeroLatency: Bool) {
        let longest = hasZeroLatency ? 512 : min(max(64, maximumFrames), 8_192)
        var candidates: [(layout: ConvolutionLayout, cost: Double)] = []
        var size = 64
        while size <= longest {
            for growth in [4, 8, 16] {
                for levels in Self.levels {
                    let layout = ConvolutionLayout(
                        taps: taps, blockSize: size, growth: growth, levels: levels, hasZeroLatency: hasZeroLatency)
                    candidates.append((layout, layout.cost))
                }
            }
            size *= 2
        }
        let direct = ConvolutionLayout(directCount: taps)
        if taps <= 512 { candidates.insert((direct, direct.cost), at: 0) }
        let least = candidates.map(\.cost).min() ?? 0
        let good = candidates.filter { $0.cost <= least * 1.15 }
        // Among layouts of one latency the cheapest.
        let latency = good.map(\.layout.latency).min() ?? 0
        let best = good.filter { $0.layout.latency == latency }.min { $0.cost < $1.cost }
        self = best?.layout ?? direct
    }

    /// All coefficients as they are written.
    private init(directCount: Int) {
        latency = 0
        self.directCount = directCount
        blockSize = 64
        stretches = []
    }

    /// Stretches of sizes `blockSize`, `growth` times that, and so on.
    private init(taps: Int, blockSize: Int, growth: Int, levels: Int, hasZeroLatency: Bool) {
        latency = hasZeroLatency ? 0 : blockSize
        directCount = hasZeroLatency ? min(taps, blockSize) : 0
        self.blockSize = blockSize
        var stretches: [Stretch] = []
        var (size, offset) = (blockSize, directCount)
        for level in 1...levels {
            guard offset < taps else { break }
            // Work on partitions of the next size is spread over the frames of one, so they come in after two.
            let next = min(size * growth, Self.largestSize)
            let end = level == levels || next == size ? taps : min(taps, 2 * next - latency)
            let count = (max(1, end - offset) + size - 1) / size
            stretches.append(Stretch(size: size, offset: offset, count: count))
            offset += count * size
            if next == size { break }
            size = next
        }
        if let last = stretches.last, last.offset + last.count * last.size < taps {
            stretches[stretches.count - 1].count = (taps - last.offset + last.size - 1) / last.size
        }
        self.stretches = stretches
    }

    /// Nanoseconds for a frame of one channel, as they were measured once; only their ratios matter.
    var cost: Double {
        stretches.reduce(directCount > 0 ? 1 + 0.1 * Double(directCount) : 0) { sum, stretch in
            let transforms = 0.22 * log2(Double(2 * stretch.size))
            let overhead = 60 / Double(stretch.size)
            return sum + transforms + overhead + 0.6 * Double(stretch.count)
        }
    }
}
