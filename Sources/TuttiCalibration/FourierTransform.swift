import Glibc

/// A complex fast Fourier transform of one size, a power of two.
struct FourierTransform {
    /// Points.
    let size: Int
    private let cosines: [Double]
    private let sines: [Double]
    private let reversed: [Int]

    /// A transform of `size` points, rounded up to a power of two.
    init(atLeast size: Int) {
        var points = 2
        while points < size { points *= 2 }
        self.size = points
        cosines = (0..<points / 2).map { cos(2 * Double.pi * Double($0) / Double(points)) }
        sines = (0..<points / 2).map { -sin(2 * Double.pi * Double($0) / Double(points)) }
        var reversed = [Int](repeating: 0, count: points)
        for index in 1..<points { reversed[index] = reversed[index / 2] / 2 + (index % 2) * points / 2 }
        self.reversed = reversed
    }

    /// Replaces a signal by its spectrum, without scaling. Both arrays hold `size` values.
    func forward(_ real: inout [Double], _ imaginary: inout [Double]) {
        for index in 0..<size where index < reversed[index] {
            real.swapAt(index, reversed[index])
            imaginary.swapAt(index, reversed[index])
        }
        var half = 1
        while half < size {
            let stride = size / (2 * half)
            var block = 0
            while block < size {
                var twiddle = 0
                for low in block..<block + half {
                    let high = low + half
                    let (c, s) = (cosines[twiddle], sines[twiddle])
                    let x = real[high] * c - imaginary[high] * s
                    let y = real[high] * s + imaginary[high] * c
                    real[high] = real[low] - x
                    imaginary[high] = imaginary[low] - y
                    real[low] += x
                    imaginary[low] += y
                    twiddle += stride
                }
                block += 2 * half
            }
            half *= 2
        }
    }

    /// Undoes `forward` but for a factor of `size`.
    func inverse(_ real: inout [Double], _ imaginary: inout [Double]) { forward(&imaginary, &real) }
}
