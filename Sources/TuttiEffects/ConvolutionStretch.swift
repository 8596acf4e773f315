/// The convolution with partitions of one size, in all channels: overlap-save with a delay line of spectra.
///
/// RT after `init`: plain pointers; whoever made it calls `deallocate` when nothing uses it any more.
struct ConvolutionStretch {
    /// Bins that are summed at once over all partitions, so that the sums stay in the nearest cache.
    private static let tile = 256

    /// Frames of a partition.
    let size: Int
    private let count: Int
    private let channelCount: Int
    private let impulseChannelCount: Int
    private let transform: ConvolutionTransform
    /// For each channel, for each partition: its spectrum, divided by `size`.
    private let impulse: UnsafeMutablePointer<Double>
    /// For each channel, for each of the last `count` blocks of input: its spectrum with the block before.
    private let spectra: UnsafeMutablePointer<Double>
    /// For each channel, twice: a product on the way, or its signal.
    private let sums: UnsafeMutablePointer<Double>
    /// Where the newest input's spectrum is.
    private var slot = 0
    /// Which of the two sums is being made; the other is being heard.
    private var making = 0
    /// The end of the input that is worked on.
    private var inputEnd = 0
    private var unitsDone = 0
    /// Units of work that a transform counts for, of which a tile is one; all but its last are a rest.
    private let weight: Int
    private var tileCount: Int { (size + Self.tile - 1) / Self.tile }
    private var unitsPerChannel: Int { 2 * weight + tileCount }
    private var unitCount: Int { channelCount * unitsPerChannel }

    /// The stretch of `channels`, coefficients in double precision with the gain in them.
    init(_ stretch: ConvolutionLayout.Stretch, of channels: [[Double]], channelCount: Int) {
        size = stretch.size
        count = stretch.count
        self.channelCount = channelCount
        impulseChannelCount = channels.count
        transform = ConvolutionTransform(size: stretch.size)
        // Operations of a transform, and of a tile's products.
        let transformCost = Double(size) * Double(size.trailingZeroBitCount + 1) / 6
        weight = max(1, Int(transformCost / Double(min(size, Self.tile) * count)))
        impulse = Self.zeros(channels.count * count * 2 * size)
        spectra = Self.zeros(channelCount * count * 2 * size)
        sums = Self.zeros(2 * channelCount * 2 * size)
        for (channel, taps) in channels.enumerated() {
            for partition in 0..<count {
                let start = stretch.offset + partition * size
                let values = taps[min(start, taps.count)..<min(start + size, taps.count)]
                setPartition(partition, of: channel, to: values)
            }
        }
    }

    func deallocate() {
        transform.deallocate()
        impulse.deallocate()
        spectra.deallocate()
        sums.deallocate()
    }

    /// Coefficients are doubles and the transform takes floats: what a float leaves is a second one.
    private func setPartition(_ partition: Int, of channel: Int, to values: ArraySlice<Double>) {
        let target = impulse + (channel * count + partition) * 2 * size
        let rest = Self.zeros(2 * size)
        defer { rest.deallocate() }
        var coarse = [Float](repeating: 0, count: size)
        var fine = coarse
        let silence = coarse
        for (index, value) in values.enumerated() {
            coarse[index] = Float(value)
            fine[index] = Float(value - Double(coarse[index]))
        }
        transform.forward(coarse, silence, target, target + size)
        transform.forward(fine, silence, rest, rest + size)
        for bin in 0..<2 * size { target[bin] = (target[bin] + rest[bin]) / Double(size) }
    }

    /// Forgets all input.
    mutating func reset() {
        spectra.update(repeating: 0, count: channelCount * count * 2 * size)
        sums.update(repeating: 0, count: 2 * channelCount * 2 * size)
        (slot, making, inputEnd, unitsDone) = (0, 0, 0, 0)
    }

    /// Begins with the block of input that ends at `position`; what was made until now is heard from now on.
    @inline(__always)
    mutating func begin(at position: Int) {
        slot = slot == 0 ? count - 1 : slot - 1
        making = 1 - making
        inputEnd = position
        unitsDone = 0
    }

    /// Does the work up to the given share of it; `input` has the channels' rings, each of `mask` + 1 frames.
    @inline(__always)
    mutating func work(upTo part: Int, of parts: Int, input: UnsafePointer<Float>, mask: Int) {
        let end = unitCount * part / parts
        while unitsDone < end {
            doUnit(unitsDone, input: input, mask: mask)
            unitsDone += 1
        }
    }

    /// The frames that are heard of a channel.
    @inline(__always)
    func heard(_ channel: Int) -> UnsafePointer<Double> { signal(channel, 1 - making) }

    /// The frames that have just been made of a channel.
    @inline(__always)
    func made(_ channel: Int) -> UnsafePointer<Double> { signal(channel, making) }

    @inline(__always)
    private func signal(_ channel: Int, _ which: Int) -> UnsafePointer<Double> {
        UnsafePointer(sums + (2 * channel + which) * 2 * size + size)
    }

    /// A channel's spectrum comes first, then its products, tile by tile, then the way back. Transforms cannot be
    /// divided, so there are rests before them.
    private func doUnit(_ unit: Int, input: UnsafePointer<Float>, mask: Int) {
        let (channel, step) = (unit / unitsPerChannel, unit % unitsPerChannel)
        let sum = sums + (2 * channel + making) * 2 * size
        if step == weight - 1 {
            let ring = input + channel * (mask + 1)
            let target = spectra + (channel * count + slot) * 2 * size
            transform.forward(
                ring + (inputEnd - 2 * size) & mask, ring + (inputEnd - size) & mask, target, target + size)
        } else if step == unitsPerChannel - 1 {
            transform.inverse(sum, sum + size)
        } else if step >= weight, step < weight + tileCount {
            multiply(channel, sum, from: (step - weight) * Self.tile)
        }
    }

    /// The products of all partitions with the inputs that they meet, in one tile.
    private func multiply(_ channel: Int, _ sum: UnsafeMutablePointer<Double>, from bin: Int) {
        let bins = min(Self.tile, size)
        (sum + bin).update(repeating: 0, count: bins)
        (sum + size + bin).update(repeating: 0, count: bins)
        let impulse = self.impulse + (impulseChannelCount == 1 ? 0 : channel) * count * 2 * size + bin
        let spectra = self.spectra + channel * count * 2 * size + bin
        var partition = 0
        var block = slot
        while partition < count {
            transform.multiplyAdd(sum + bin, spectra + block * 2 * size, impulse + partition * 2 * size, count: bins)
            partition += 1
            block = block + 1 == count ? 0 : block + 1
        }
    }

    private static func zeros(_ count: Int) -> UnsafeMutablePointer<Double> {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, count) * 8, alignment: 64)
            .bindMemory(to: Double.self, capacity: max(1, count))
        memory.initialize(repeating: 0, count: max(1, count))
        return memory
    }
}
