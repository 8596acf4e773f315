import CKernels
import Glibc

/// The filters that find true peaks: four times oversampled, after ITU-R BS.1770-4, Annex 2.
///
/// The annex's filters have 12 coefficients, too few for what lies close to half the sample rate. They are asked because
/// meters have them; beside them there are three of 160 coefficients for the quarters between two frames.
///
/// RT after `init`.
struct TruePeakFilters: ~Copyable {
    /// Coefficients of a long filter; a peak is found `taps / 2` frames after the frame before it.
    static let taps = 160
    /// The annex's coefficients of the phases 0 and 1; 2 and 3 are the same backwards.
    private static let annex: [[Float]] = [
        [
            0.001_708_984_375, 0.010_986_328_125, -0.019_653_320_312_5, 0.033_203_125, -0.059_448_242_187_5,
            0.137_329_101_562_5, 0.972_167_968_75, -0.102_294_921_875, 0.047_607_421_875, -0.026_611_328_125,
            0.014_892_578_125, -0.008_300_781_25,
        ],
        [
            -0.029_174_804_687_5, 0.029_296_875, -0.051_757_812_5, 0.089_111_328_125, -0.166_503_906_25,
            0.465_087_890_625, 0.779_785_156_25, -0.200_317_382_812_5, 0.101_562_5, -0.058_227_539_062_5,
            0.033_081_054_687_5, -0.018_920_898_437_5,
        ],
    ]
    private static let annexTaps = 12
    /// Where the annex's filters begin among the long ones' samples, so that both look between the same two frames.
    private static let annexStart = taps / 2 - annexTaps / 2

    /// How much greater than the greatest sample a peak can be at most.
    let greatestGain: Float
    private let isWide: Bool
    private let long: UnsafeMutablePointer<Float>
    private let short: UnsafeMutablePointer<Float>

    init() {
        let beta = 5.5
        let half = Double(Self.taps / 2)
        long = .allocate(capacity: 3 * Self.taps)
        short = .allocate(capacity: 4 * Self.annexTaps)
        var greatest = 0.0
        for phase in 1...3 {
            let values = (0..<Self.taps).map { tap in
                let x = Double(tap) - (half - 1) - Double(phase) / 4
                let inside = max(0, 1 - x * x / (half * half))
                return sin(Double.pi * x) / (Double.pi * x) * Self.besselI0(beta * inside.squareRoot())
            }
            let sum = values.reduce(0, +)
            for (tap, value) in values.enumerated() {
                (long + 3 * tap + phase - 1).initialize(to: Float(value / sum))
            }
            greatest = max(greatest, values.reduce(0) { $0 + abs($1) } / sum)
        }
        for tap in 0..<Self.annexTaps {
            let last = Self.annexTaps - 1
            // A filter's last coefficient is that of its oldest sample.
            for phase in 0..<2 {
                (short + 4 * tap + phase).initialize(to: Self.annex[phase][last - tap])
                (short + 4 * tap + 3 - phase).initialize(to: Self.annex[phase][tap])
            }
        }
        greatestGain = Float(max(greatest, 2.5))
        isWide = tutti_has_wide() != 0
    }

    deinit {
        long.deallocate()
        short.deallocate()
    }

    /// Raises `peaks` to the magnitudes between frames.
    ///
    /// Peak n is that between samples n + 79 and n + 80. Both memories have room for `count` rounded up to a multiple
    /// of 16, `samples` for `taps` − 1 more.
    func raise(_ peaks: UnsafeMutablePointer<Float>, samples: UnsafePointer<Float>, count: Int) {
        if isWide {
            tutti_peaks_wide(samples, long, peaks, count, Self.taps, 3)
            tutti_peaks_wide(samples + Self.annexStart, short, peaks, count, Self.annexTaps, 4)
        } else {
            tutti_peaks(samples, long, peaks, count, Self.taps, 3)
            tutti_peaks(samples + Self.annexStart, short, peaks, count, Self.annexTaps, 4)
        }
    }

    /// The modified Bessel function of the first kind and order 0, by its power series.
    private static func besselI0(_ x: Double) -> Double {
        var (sum, term, k) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            term *= (x / (2 * k)) * (x / (2 * k))
            sum += term
            k += 1
        }
        return sum
    }
}
