import Foundation
import Testing
import Tutti
import TuttiStretch

/// What changes while a programme plays at another rate.
extension StretchTests {
    @Test func anotherRateFlushesAndGoesOnFromTheTimeThatIsSaid() async throws {
        let studio = try Studio(depth: .seconds(10))
        let material = Material()
        for second in 0..<6 { try studio.renderer.enqueue(material.buffer(second * 48_000..<(second + 1) * 48_000)) }
        var events = studio.renderer.events.makeAsyncIterator()
        try studio.synchronizer.setRate(1, time: .zero)
        let before = try studio.render(48_000)
        #expect(before.indices.allSatisfy { before[$0] == material.sample($0) })

        try studio.synchronizer.setRate(2)
        #expect(await events.next() == .flushedAutomatically(at: frame(48_000), reason: .rateChanged))
        #expect(studio.renderer.loadedTimeRanges.isEmpty && studio.renderer.isReadyForMoreMediaData)
        for buffer in try bursts(1..<9) { try studio.renderer.enqueue(buffer) }
        let fast = try studio.render(96_000)
        #expect(onsets(fast).enumerated().allSatisfy { abs($1 - $0 * 12_000) < 960 }, "\(onsets(fast))")
        #expect(onsets(fast).count == 8)
        #expect(abs(studio.synchronizer.currentTime.seconds - 5) < 1e-6)

        try studio.synchronizer.setRate(1)
        guard case .flushedAutomatically(let time, .rateChanged)? = await events.next() else {
            Issue.record("nothing was said of the flush")
            return
        }
        #expect(abs(time.seconds - 5) < 1e-6)
        for second in 5..<8 { try studio.renderer.enqueue(material.buffer(second * 48_000..<(second + 1) * 48_000)) }
        let after = try studio.render(96_000)
        // The start fades in for 8 ms.
        #expect((400..<96_000).allSatisfy { after[$0] == material.sample($0 + 240_000) })
    }

    @Test func theOldRateHoldsToTheInstantOfTheNewOne() async throws {
        let studio = try Studio(depth: .seconds(10))
        let material = Material()
        for second in 0..<6 { try studio.renderer.enqueue(material.buffer(second * 48_000..<(second + 1) * 48_000)) }
        try studio.synchronizer.setRate(1, time: .zero)
        try studio.synchronizer.setRate(1.5, atHostTime: studio.output.hostTime(ofFrame: 60_000))
        let sound = try studio.render(60_000)
        #expect(sound.indices.dropLast(400).allSatisfy { sound[$0] == material.sample($0) })
        #expect(studio.synchronizer.rate == 1.5)
        #expect(abs(studio.synchronizer.currentTime.seconds - 1.25) < 1e-6)
    }

    @Test func pausingAndGoingOnAtAnyRateKeepsWhatIsHeld() throws {
        let studio = try Studio(depth: .seconds(20))
        for buffer in try bursts(0..<10) { try studio.renderer.enqueue(buffer) }
        try studio.synchronizer.setRate(2, time: .zero)
        #expect(onsets(try studio.render(48_000)).count == 4)
        try studio.synchronizer.setRate(0)
        #expect(try studio.render(9_600)[480...].allSatisfy { $0 == 0 })
        try studio.synchronizer.setRate(1)
        let sound = try studio.render(96_000)
        // It fades in for 8 ms.
        let found = onsets(sound)
        #expect(found.count == 4 && found.enumerated().allSatisfy { abs($1 - $0 * 24_000) < 400 }, "\(found)")
        try studio.synchronizer.setRate(0)
        try studio.synchronizer.setRate(0.5)
        #expect(onsets(try studio.render(96_000)).allSatisfy { $0 % 48_000 < 960 || $0 % 48_000 > 47_040 })
        #expect(studio.renderer.loadedTimeRanges.last?.end == milliseconds(10_000))
    }

    @Test func aSeekAtARateIsExact() throws {
        let studio = try Studio(depth: .seconds(40))
        for buffer in try bursts(0..<30) { try studio.renderer.enqueue(buffer) }
        try studio.synchronizer.setRate(1.5, time: .zero)
        _ = try studio.render(40_000)
        for media in [20_250, 8_100, 24_100] {
            try studio.synchronizer.setRate(1.5, time: milliseconds(media))
            let sound = try studio.render(32_000)
            let first = Double((500 - media % 500) % 500) / 1.5
            let expected = [first, first + 500 / 1.5].map { $0 * 48 }
            let found = onsets(sound).prefix(2)
            #expect(zip(found, expected).allSatisfy { abs(Double($0) - $1) < 960 }, "\(media): \(found) \(expected)")
        }
    }

    @Test func aFlushFromATimeIsRefilledAtARate() async throws {
        let studio = try Studio(depth: .seconds(40))
        for second in 0..<12 { try studio.renderer.enqueue(tone(second * 48_000..<(second + 1) * 48_000)) }
        try studio.synchronizer.setRate(2, time: .zero)
        _ = try studio.render(24_000)
        #expect(await studio.renderer.flush(fromSourceTime: milliseconds(1_100)) == false)
        #expect(await studio.renderer.flush(fromSourceTime: milliseconds(5_000)))
        for second in 5..<12 {
            try studio.renderer.enqueue(tone(second * 48_000..<(second + 1) * 48_000, hertz: 880))
        }
        let sound = try studio.render(192_000)
        // From media time 1 s on: at 2, five seconds are reached after two.
        #expect(abs(hertz(sound[1_000..<95_000]) / 440 - 1) < 0.001)
        #expect(abs(hertz(sound[97_000..<190_000]) / 880 - 1) < 0.001)
        let quietest = stride(from: 4_800, to: 186_000, by: 480).map { start in
            sound[start..<start + 480].map(abs).max() ?? 0
        }.min()
        #expect(quietest ?? 0 > 0.2)
    }

    @Test func allRenderersChangeAlike() async throws {
        let studio = try Studio(depth: .seconds(20))
        let second = AudioRenderer(route: studio.output.route)
        try studio.synchronizer.addRenderer(second)
        try studio.synchronizer.setRate(1, time: .zero)
        _ = try studio.render(4_800)
        var events = [studio.renderer, second].map { $0.events.makeAsyncIterator() }
        try studio.synchronizer.setRate(0.5)
        for index in events.indices {
            #expect(await events[index].next() == .flushedAutomatically(at: milliseconds(100), reason: .rateChanged))
        }
        for buffer in try bursts(0..<4) {
            try studio.renderer.enqueue(buffer)
            try second.enqueue(buffer)
        }
        let both = try studio.render(96_000)
        let single = try Studio(depth: .seconds(20))
        for buffer in try bursts(0..<4) { try single.renderer.enqueue(buffer) }
        try single.synchronizer.setRate(0.5, time: milliseconds(100))
        let one = try single.render(96_000)
        #expect(one.indices.allSatisfy { both[$0] == 2 * one[$0] } && one.contains { abs($0) > 0.1 })
    }

    @Test func anotherRouteTakesOverAtARate() throws {
        let studio = try Studio(depth: .seconds(20))
        for second in 0..<8 { try studio.renderer.enqueue(tone(second * 48_000..<(second + 1) * 48_000)) }
        try studio.synchronizer.setRate(1.5, time: .zero)
        _ = try studio.render(48_000)
        try studio.renderer.setRoute(studio.output.route(depth: .seconds(60)))
        let sound = try studio.render(96_000)
        #expect(abs(hertz(sound[2_400...]) / 440 - 1) < 0.001)
        #expect(sound[2_400...].contains { abs($0) > 0.3 })
        #expect(abs(studio.synchronizer.currentTime.seconds - 4.5) < 1e-6)
    }

    @Test func ratesThatAreNoneChangeNothing() throws {
        let studio = try Studio()
        try studio.synchronizer.setRate(1.5, time: milliseconds(250))
        for rate in [Double.nan, .infinity, -.infinity, -1, -0.5] {
            #expect(throws: PlaybackError.invalidRate) { try studio.synchronizer.setRate(rate, time: .zero) }
        }
        for rate in [0.49, 2.01, 1e300, .leastNonzeroMagnitude] {
            #expect(throws: PlaybackError.unsupportedRate(rate)) { try studio.synchronizer.setRate(rate, time: .zero) }
        }
        #expect(studio.synchronizer.rate == 1.5 && studio.synchronizer.currentTime == milliseconds(250))
        #expect(RenderSynchronizer.rates == TimeStretcher.rates)
    }
}
