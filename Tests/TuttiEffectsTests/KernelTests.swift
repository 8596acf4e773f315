import CKernels
import Glibc
import Testing
import TuttiEffects

@Suite struct KernelTests {
    @Test(arguments: [(160, 3), (12, 4)])
    func bothVariantsFindThePeaksOfPlainFilters(taps: Int, phases: Int) {
        var noise = Noise(30)
        let samples = noise.samples(64 + taps)
        let filters = noise.samples(taps * phases, amplitude: 0.1)
        var (narrow, wide) = ([Float](repeating: 0.2, count: 64), [Float](repeating: 0.2, count: 64))
        tutti_peaks(samples, filters, &narrow, 60, taps, Int32(phases))
        if tutti_has_wide() != 0 {
            tutti_peaks_wide(samples, filters, &wide, 60, taps, Int32(phases))
        } else {
            wide = narrow
        }
        for frame in 0..<60 {
            let sums = (0..<phases).map { phase in
                (0..<taps).reduce(0.0) {
                    $0 + Double(filters[$1 * phases + phase]) * Double(samples[frame + $1])
                }
            }
            let greatest = sums.reduce(0.2) { max($0, abs($1)) }
            #expect(abs(Double(narrow[frame]) - greatest) < 1e-5)
            #expect(abs(Double(wide[frame]) - greatest) < 1e-5)
        }
    }

    @Test func whatIsNoNumberIsNoPeak() {
        let samples = [Float](repeating: .nan, count: 32)
        var peaks = [Float](repeating: 0.5, count: 16)
        tutti_peaks(samples, [Float](repeating: 1, count: 48), &peaks, 16, 16, 3)
        #expect(peaks.allSatisfy { $0 == 0.5 })
        #expect(tutti_greatest([0.1, .nan, -0.75, 0.2] + [Float](repeating: .nan, count: 9), 13) == 0.75)
    }

    @Test func onlyNonFiniteSamplesAreCleaned() {
        let finite: [Float] = [0, -0.0, 1, -.greatestFiniteMagnitude, .leastNonzeroMagnitude]
        var samples = finite + [.nan, .infinity, -.infinity, .signalingNaN] + finite
        #expect(tutti_clean(&samples, 14) == 4)
        let wanted: [Float] = finite + [0, 0, 0, 0] + finite
        #expect(samples.map(\.bitPattern) == wanted.map(\.bitPattern))
        #expect(tutti_clean(&samples, 14) == 0)
    }
}
