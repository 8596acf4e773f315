import Glibc

/// A complex fast Fourier transform of one size, a power of two, in double precision.
package struct FourierTransform: Sendable {
    /// The points of a transform.
    package let size: Int
    private let cosines: [Double]
    private let sines: [Double]
    private let reversed: [Int32]

    /// A transform of `size` points, rounded up to a power of two.
    package init(atLeast size: Int) {
        var points = 2
        while points < size { points *= 2 }
        self.size = points
        cosines = (0..<points / 2).map { cos(2 * .pi * Double($0) / Double(points)) }
        sines = (0..<points / 2).map { -sin(2 * .pi * Double($0) / Double(points)) }
        let shift = Int32(32 - points.trailingZeroBitCount)
        reversed = (0..<points).map { Int32(truncatingIfNeeded: UInt32($0).bitReversed >> UInt32(shift)) }
    }

    /// Replaces the signal by its spectrum (no scaling). Both arrays hold `size` values.
    package func forward(_ real: inout [Double], _ imaginary: inout [Double]) {
        transform(&real, &imaginary)
    }

    /// Replaces a spectrum by its signal, scaled so that it undoes `forward`.
    package func inverse(_ real: inout [Double], _ imaginary: inout [Double]) {
        transform(&imaginary, &real)
        let scale = 1 / Double(size)
        for index in 0..<size {
            real[index] *= scale
            imaginary[index] *= scale
        }
    }

    private func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
        precondition(real.count == size && imaginary.count == size)
        real.withUnsafeMutableBufferPointer { re in
            imaginary.withUnsafeMutableBufferPointer { im in
                for index in 0..<size {
                    let other = Int(reversed[index])
                    if index < other {
                        re.swapAt(index, other)
                        im.swapAt(index, other)
                    }
                }
                butterflies(re, im)
            }
        }
    }

    private func butterflies(_ re: UnsafeMutableBufferPointer<Double>, _ im: UnsafeMutableBufferPointer<Double>) {
        cosines.withUnsafeBufferPointer { cosines in
            sines.withUnsafeBufferPointer { sines in
                var half = 1
                while half < size {
                    let stride = size / (2 * half)
                    var block = 0
                    while block < size {
                        var twiddle = 0
                        for low in block..<block + half {
                            let high = low + half
                            let (c, s) = (cosines[twiddle], sines[twiddle])
                            let x = re[high] * c - im[high] * s
                            let y = re[high] * s + im[high] * c
                            re[high] = re[low] - x
                            im[high] = im[low] - y
                            re[low] += x
                            im[low] += y
                            twiddle += stride
                        }
                        block += 2 * half
                    }
                    half *= 2
                }
            }
        }
    }
}

extension UInt32 {
    fileprivate var bitReversed: UInt32 {
        var value = self
        value = (value >> 1) & 0x5555_5555 | (value & 0x5555_5555) << 1
        value = (value >> 2) & 0x3333_3333 | (value & 0x3333_3333) << 2
        value = (value >> 4) & 0x0f0f_0f0f | (value & 0x0f0f_0f0f) << 4
        return value.byteSwapped
    }
}
