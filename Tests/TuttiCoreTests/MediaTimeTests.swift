import Testing
import TuttiCore

@Suite("Media time")
struct MediaTimeTests {
    @Test("times from outside are checked")
    func validation() {
        #expect(MediaTime(value: 1, timescale: 0) == nil)
        #expect(MediaTime(value: 1, timescale: -5) == nil)
        #expect(MediaTime(value: .max, timescale: 1) == nil)
        #expect(MediaTime(value: .min, timescale: 1) == nil)
        #expect(MediaTime(value: .min, timescale: .max) == nil)
        #expect(MediaTime(value: 3, timescale: 2)?.seconds == 1.5)
        #expect(MediaTime(seconds: .nan, preferredTimescale: 48_000) == nil)
        #expect(MediaTime(seconds: .infinity, preferredTimescale: 48_000) == nil)
        #expect(MediaTime(seconds: 1e300, preferredTimescale: 48_000) == nil)
        #expect(MediaTime(seconds: 0.5, preferredTimescale: 48_000) == MediaTime(value: 1, timescale: 2))
    }

    @Test("sums of audio sample rates are exact")
    func exactSums() {
        let cd = MediaTime(frame: 1, sampleRate: 44_100)
        let dat = MediaTime(frame: 1, sampleRate: 48_000)
        let sum = cd + dat
        #expect(Int64(sum.timescale) == 7_056_000)
        #expect(sum.value == 160 + 147)
        #expect(sum - dat == cd)
        var total = MediaTime.zero
        for _ in 0..<44_100 { total += cd }
        #expect(total == MediaTime(value: 1, timescale: 1))
    }

    @Test(
        "every pair of common sample rates has an exact sum",
        arguments: [
            8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
        ])
    func commonRates(rate: Int) {
        for other in [8_000, 11_025, 44_100, 48_000, 176_400, 192_000] {
            let a = MediaTime(frame: 12_345, sampleRate: rate)
            let b = MediaTime(frame: 67_891, sampleRate: other)
            #expect((a + b) - b == a)
        }
    }

    @Test("equal instants are equal and hash alike, whatever their timescale")
    func equality() throws {
        let half = try #require(MediaTime(value: 1, timescale: 2))
        let same = try #require(MediaTime(value: 24_000, timescale: 48_000))
        #expect(half == same)
        #expect(Set([half, same]).count == 1)
        #expect(!(half < same) && !(same < half))
        #expect(MediaTime(frame: 0, sampleRate: 44_100) == .zero)
        #expect(Set([MediaTime(frame: 0, sampleRate: 44_100), .zero]).count == 1)
    }

    @Test("conversion rounds as asked")
    func rounding() throws {
        let third = try #require(MediaTime(value: 1, timescale: 3))
        #expect(third.frame(at: 10, rounding: .down) == 3)
        #expect(third.frame(at: 10, rounding: .up) == 4)
        #expect(third.frame(at: 10) == 3)
        #expect((-third).frame(at: 10, rounding: .down) == -4)
        #expect((-third).frame(at: 10, rounding: .up) == -3)
        let half = try #require(MediaTime(value: 1, timescale: 2))
        #expect(half.frame(at: 1) == 1)
        #expect((-half).frame(at: 1) == -1)
        #expect(half.converted(to: 48_000).value == 24_000)
    }

    @Test("arithmetic at the edge of the range clamps and never traps")
    func clamping() throws {
        let limit = MediaTime.maximumSeconds * Int64(Int32.max) - 1
        let far = try #require(MediaTime(value: limit, timescale: .max))
        #expect(far + far == far)
        #expect((-far) - far == -far)
        let coprime = try #require(MediaTime(value: 1, timescale: .max - 1))
        #expect((coprime + far).seconds > 0)
        #expect(MediaTime(frame: .max, sampleRate: 8_000).seconds <= Double(MediaTime.maximumSeconds))
        #expect(far.nanoseconds > 0)
    }
}
