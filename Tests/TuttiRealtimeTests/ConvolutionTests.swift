import CKernels
import Testing

@Suite("The resampler's innermost loop")
struct ConvolutionTests {
    @Test("is the same on all processors, but for rounding", arguments: [16, 96, 480])
    func sum(taps: Int) {
        func value(_ index: Int) -> Float { Float((index &* 2_654_435_761) % 20_001 - 10_000) / 10_000 }
        let parabolas = (0..<3 * taps).map { value($0) }
        let (left, right) = ((0..<taps).map { value($0 + 5_000) }, (0..<taps).map { value($0 + 9_000) })
        let u: Float = 0.3
        var expected = (left: 0.0, right: 0.0)
        for tap in 0..<taps {
            let row = tap / 8 * 24 + tap % 8
            let (c0, c1, c2) = (Double(parabolas[row]), Double(parabolas[row + 8]), Double(parabolas[row + 16]))
            let c = c0 + Double(u) * (c1 + Double(u) * c2)
            expected.left += c * Double(left[tap])
            expected.right += c * Double(right[tap])
        }
        let narrow = tutti_convolve(parabolas, left, right, taps, u)
        let wide = tutti_has_wide() != 0 ? tutti_convolve_wide(parabolas, left, right, taps, u) : narrow
        for frame in [narrow, wide] {
            #expect(abs(Double(frame.left) - expected.left) < 1e-5 * Double(taps).squareRoot())
            #expect(abs(Double(frame.right) - expected.right) < 1e-5 * Double(taps).squareRoot())
        }
    }
}
