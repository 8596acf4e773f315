import Foundation
import Testing
import Tutti

/// Programmes at other rates than 1.
@Suite struct StretchTests {
    /// A sine of 440 Hz at 0.4 of full scale, as floats of `frames`.
    func tone(_ frames: Range<Int>, sampleRate: Int = 48_000, hertz: Double = 440) throws -> SampleBuffer {
        let samples = frames.map { Float(0.4 * sin(2 * .pi * hertz * Double($0) / Double(sampleRate))) }
        return try #require(
            SampleBuffer(
                interleaved: samples, channelCount: 1, sampleRate: sampleRate,
                presentationTime: MediaTime(frame: Int64(frames.lowerBound), sampleRate: sampleRate)))
    }

    /// The frequency by the crossings of zero, to some 0.01 % over a second.
    func hertz(_ sound: some Collection<Float>, sampleRate: Double = 48_000) -> Double {
        let samples = Array(sound)
        var crossings: [Double] = []
        for index in 1..<samples.count where samples[index - 1] < 0 && samples[index] >= 0 {
            let fraction = Double(samples[index - 1] / (samples[index - 1] - samples[index]))
            crossings.append(Double(index - 1) + fraction)
        }
        guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
        return Double(crossings.count - 1) * sampleRate / (last - first)
    }

    /// The first and the last frame louder than a hundredth.
    func extent(_ sound: [Float]) -> (first: Int, last: Int)? {
        guard let first = sound.firstIndex(where: { abs($0) > 0.01 }),
            let last = sound.lastIndex(where: { abs($0) > 0.01 })
        else { return nil }
        return (first, last)
    }

    @Test(arguments: [0.5, 0.75, 1.25, 1.5, 2.0])
    func aToneLastsAsLongAsItShouldAtItsPitch(rate: Double) throws {
        let studio = try Studio(depth: .seconds(20))
        for second in 0..<4 { try studio.renderer.enqueue(tone(second * 48_000..<(second + 1) * 48_000)) }
        studio.renderer.finishMediaData()
        try studio.synchronizer.setRate(rate, time: .zero)
        let length = Int(4 * 48_000 / rate)
        let sound = try studio.render(length + 24_000)
        let (first, last) = try #require(extent(sound))
        #expect(first < 500 && abs(last - length) < 500, "\(first) to \(last) of \(length)")
        #expect(sound[length...].allSatisfy { $0 == 0 })
        let heard = hertz(sound[4_800..<length - 4_800])
        #expect(abs(heard / 440 - 1) < 0.001, "\(heard) Hz")
        let time = studio.synchronizer.currentTime.seconds
        #expect(abs(time - Double(length + 24_000) / 48_000 * rate) < 1e-6)
    }

    /// Bursts of 50 ms, one each half second: they tell where the programme is.
    func bursts(_ seconds: Range<Int>) throws -> [SampleBuffer] {
        try seconds.map { second in
            let samples = (0..<48_000).map { frame -> Float in
                frame % 24_000 < 2_400 ? Float(0.5 * sin(2 * .pi * 600 * Double(frame) / 48_000)) : 0
            }
            return try #require(
                SampleBuffer(
                    interleaved: samples, channelCount: 1, sampleRate: 48_000,
                    presentationTime: MediaTime(frame: Int64(second), sampleRate: 1)))
        }
    }

    /// Where bursts begin.
    func onsets(_ sound: [Float]) -> [Int] {
        var onsets: [Int] = []
        var quiet = 10_000
        for (index, sample) in sound.enumerated() {
            if abs(sample) > 0.1 {
                if quiet > 2_000 { onsets.append(index) }
                quiet = 0
            } else {
                quiet += 1
            }
        }
        return onsets
    }

    @Test(arguments: [0.5, 0.8, 1.7, 2.0])
    func everythingIsHeardAtItsTime(rate: Double) throws {
        let studio = try Studio(depth: .seconds(40))
        for buffer in try bursts(0..<20) { try studio.renderer.enqueue(buffer) }
        try studio.synchronizer.setRate(rate, time: .zero)
        let found = onsets(try studio.render(480_000))
        #expect(found.count >= Int(10 * rate * 2))
        for (index, onset) in found.enumerated() {
            let seconds = Double(onset) / 48_000 - Double(index) * 0.5 / rate
            // A period of the lowest voice is 15 ms.
            #expect(abs(seconds) < 0.02, "burst \(index) is off by \(seconds) s")
        }
    }

    @Test func buffersInAnyOrderAndWithHolesLieWhereTheyBelong() throws {
        let studio = try Studio(depth: .seconds(40))
        let buffers = try bursts(0..<12)
        for index in [3, 1, 2, 0, 9, 8, 5, 11] { try studio.renderer.enqueue(buffers[index]) }
        try studio.synchronizer.setRate(2, time: .zero)
        _ = try studio.render(9_600)
        for index in [4, 10] { try studio.renderer.enqueue(buffers[index]) }
        let sound = try studio.render(300_000)
        let seconds = [0, 1, 2, 3, 4, 5, 8, 9, 10, 11]
        let expected: [Int] = seconds.flatMap { [$0 * 24_000 - 9_600, $0 * 24_000 + 2_400] }.filter { $0 > 0 }
        let found = onsets(sound)
        #expect(found.count == expected.count, "\(found)")
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 960 }, "\(found)")
    }

    @Test func formatsThatFollowOneAnotherAreOneSound() throws {
        let studio = try Studio(depth: .seconds(40))
        for (second, rate) in [44_100, 48_000, 96_000, 8_000, 22_050].enumerated() {
            try studio.renderer.enqueue(tone(second * rate..<(second + 1) * rate, sampleRate: rate))
        }
        studio.renderer.finishMediaData()
        try studio.synchronizer.setRate(1.25, time: .zero)
        let sound = try studio.render(5 * 38_400 + 4_800)
        #expect(try abs(#require(extent(sound)).last - 5 * 38_400) < 500)
        // Sonic's periods are whole frames, which are long at 8 kHz.
        for (second, tolerance) in [0.001, 0.001, 0.001, 0.005, 0.001].enumerated() {
            let heard = hertz(sound[second * 38_400 + 2_400..<(second + 1) * 38_400 - 2_400])
            #expect(abs(heard / 440 - 1) < tolerance, "second \(second): \(heard)")
        }
        let quietest = stride(from: 480, to: 5 * 38_400 - 960, by: 240).min { left, right in
            (sound[left..<left + 480].map(abs).max() ?? 0) < (sound[right..<right + 480].map(abs).max() ?? 0)
        }
        // Where a run ends and the next begins it may dip for some milliseconds.
        let level = quietest.map { sound[$0..<$0 + 480].map(abs).max() ?? 0 } ?? 0
        #expect(level > 0.05, "\(level) at \(quietest ?? 0)")
    }

    @Test func asMuchIsAskedForAsTheRateUses() throws {
        let studio = try Studio(depth: .seconds(4))
        try studio.synchronizer.setRate(2, time: .zero)
        var seconds = 0
        while studio.renderer.isReadyForMoreMediaData, seconds < 60 {
            try studio.renderer.enqueue(tone(seconds * 48_000..<(seconds + 1) * 48_000))
            seconds += 1
        }
        // Four seconds as they are heard.
        #expect(seconds == 8)
        #expect(studio.renderer.bufferingState.isPlaybackBufferFull)
        let calls = Counter()
        studio.renderer.requestMediaDataWhenReady { calls.take() }
        _ = try studio.render(44_000)
        #expect(calls.count == 0)
        _ = try studio.render(8_000)
        #expect(calls.count > 0)
        #expect(studio.renderer.loadedTimeRanges.first?.end == milliseconds(8_000))
    }

    @Test func observersAreCalledAtTheirMediaTimes() throws {
        let studio = try Studio()
        let times = Counter()
        _ = try studio.synchronizer.addPeriodicTimeObserver(forInterval: milliseconds(500)) { _ in times.take() }
        let boundary = Counter()
        _ = try studio.synchronizer.addBoundaryTimeObserver(forTimes: [milliseconds(1_200)]) { _ in boundary.take() }
        try studio.synchronizer.setRate(1.5, time: .zero)
        _ = try studio.render(38_300)
        #expect(boundary.count == 0)
        _ = try studio.render(200)
        #expect(boundary.count == 1)
        _ = try studio.render(25_600)
        // The start, and each half second up to two.
        #expect(times.count == 5, "\(times.count)")
    }

    @Test func theSameCallsGiveTheSameFrames() throws {
        func sound() throws -> [Float] {
            let studio = try Studio(depth: .seconds(20))
            for buffer in try bursts(0..<6) { try studio.renderer.enqueue(buffer) }
            try studio.synchronizer.setRate(1.3, time: .zero)
            return try studio.render(48_000) + studio.render(1_000) + studio.render(30_000)
        }
        #expect(try sound() == sound())
    }
}
