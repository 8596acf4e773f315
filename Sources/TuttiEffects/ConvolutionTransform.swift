import CKernels
import Glibc

/// The transform of fast convolution: two blocks of a signal, one after the other, become a spectrum in which a product
/// is their convolution; what passes the end of the second block comes back into the first with its sign turned.
///
/// In double precision, since a convolution of full scale has to stay within −140 dB of the exact one. The bins' order
/// is the transform's own.
///
/// RT after `init`: plain pointers; whoever made it calls `deallocate` when nothing uses it any more.
struct ConvolutionTransform {
    /// What sizes there are: powers of two.
    static let sizes = 32...(1 << 19)
    /// Whether this processor has the wider instructions; asked once.
    private static let hasWide = tutti_has_wide() != 0

    /// Frames of a block, which is as many bins.
    let size: Int
    private let isWide: Bool
    private let twiddles: UnsafeMutablePointer<Double>

    /// A transform of two blocks of `size` frames.
    ///
    /// - Precondition: `size` is one of `sizes`.
    init(size: Int) {
        precondition(Self.sizes.contains(size) && size & (size - 1) == 0, "a transform's size is a power of two")
        self.size = size
        isWide = Self.hasWide
        twiddles = Self.makeTwiddles(size)
    }

    func deallocate() { twiddles.deallocate() }

    /// The spectrum of two blocks.
    @inline(__always)
    func forward(
        _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ real: UnsafeMutablePointer<Double>,
        _ imaginary: UnsafeMutablePointer<Double>
    ) {
        if isWide {
            tutti_forward_wide(twiddles, size, first, second, real, imaginary)
        } else {
            tutti_forward(twiddles, size, first, second, real, imaginary)
        }
    }

    /// Replaces a spectrum by its signal times `size`: the first block in `real`, the second in `imaginary`.
    @inline(__always)
    func inverse(_ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>) {
        if isWide {
            tutti_inverse_wide(twiddles, size, real, imaginary)
        } else {
            tutti_inverse(twiddles, size, real, imaginary)
        }
    }

    /// Adds the product of `count` bins of two spectra to a third; imaginary parts lie `size` behind the real ones.
    @inline(__always)
    func multiplyAdd(
        _ sum: UnsafeMutablePointer<Double>, _ spectrum: UnsafePointer<Double>, _ other: UnsafePointer<Double>,
        count: Int
    ) {
        if isWide {
            tutti_multiply_wide(sum, sum + size, spectrum, spectrum + size, other, other + size, count)
        } else {
            tutti_multiply(sum, sum + size, spectrum, spectrum + size, other, other + size, count)
        }
    }

    /// Twiddles as the kernel reads them: that of the step that stands alone, then six for each block of each pass: the
    /// fourth root of the block's constant, the square root, their product. Those of the last pass lie in fours.
    private static func makeTwiddles(_ size: Int) -> UnsafeMutablePointer<Double> {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: (16 + 2 * size) * 8, alignment: 64)
        let twiddles = memory.bindMemory(to: Double.self, capacity: 16 + 2 * size)
        twiddles.initialize(repeating: 0, count: 16 + 2 * size)
        twiddles[0] = cos(.pi / 4)
        twiddles[1] = sin(.pi / 4)
        var blocks = size.trailingZeroBitCount.isMultiple(of: 2) ? 1 : 2
        var next = twiddles + 8
        while blocks < size {
            for block in 0..<blocks {
                // The angle of the block's constant, in half turns: i at the root; a child's is half of its parent's,
                // and half a turn more where it is the second.
                var angle = 0.5
                for level in (0..<blocks.trailingZeroBitCount).reversed() {
                    angle = angle / 2 + Double(block >> level & 1)
                }
                let isLast = blocks * 4 == size
                let (first, stride) = isLast ? (block / 4 * 24 + block % 4, 4) : (block * 6, 1)
                for (number, part) in [angle / 4, angle / 2, 3 * angle / 4].enumerated() {
                    next[first + 2 * number * stride] = cos(.pi * part)
                    next[first + (2 * number + 1) * stride] = sin(.pi * part)
                }
            }
            next += 6 * blocks
            blocks *= 4
        }
        return twiddles
    }
}
