import Testing
import Tutti

@Suite struct OfflineOutputTests {
    @Test func soundComesOutBitForBitFromTheVeryFirstFrame() throws {
        let studio = try Studio()
        let material = Material()
        for second in 0..<3 { try studio.renderer.enqueue(material.buffer(second * 48_000..<(second + 1) * 48_000)) }
        try studio.synchronizer.setRate(1, time: .zero)
        let sound = try studio.render(10_000) + studio.render(1) + studio.render(90_000)
        #expect(sound.indices.allSatisfy { sound[$0] == material.sample($0) })
        #expect(abs(studio.synchronizer.currentTime.seconds - 100_001.0 / 48_000) < 2e-9)
        #expect(studio.output.sampleTime == 100_001)
    }

    @Test func nothingIsHeardBeforeAScheduledInstantAndEverythingFromItOn() throws {
        let studio = try Studio()
        let material = Material()
        try studio.renderer.enqueue(material.buffer(48_000..<144_000))
        try studio.synchronizer.setRate(1, time: frame(48_000), atHostTime: studio.output.hostTime(ofFrame: 12_345))
        let sound = try studio.render(60_000)
        #expect(sound[..<12_345].allSatisfy { $0 == 0 })
        // A start in the middle of a programme fades in for 8 ms.
        #expect((12_345 + 400..<60_000).allSatisfy { sound[$0] == material.sample($0 - 12_345 + 48_000) })
    }

    @Test func renderersAreMixedOnOneTimeline() throws {
        let studio = try Studio()
        let second = AudioRenderer(route: studio.output.route)
        try studio.synchronizer.addRenderer(second)
        let (one, other) = (Material(), Material(edition: 2))
        try studio.renderer.enqueue(one.buffer(0..<96_000))
        try second.enqueue(other.buffer(0..<96_000))
        try studio.synchronizer.setRate(1, time: .zero)
        let sound = try studio.render(20_000)
        #expect(sound.indices.allSatisfy { sound[$0] == one.sample($0) + other.sample($0) })
        // One leaves at a media time; the other plays on alone.
        #expect(studio.synchronizer.removeRenderer(second, at: frame(24_000)))
        let rest = try studio.render(20_000)
        #expect((0..<4_000).allSatisfy { rest[$0] == one.sample($0 + 20_000) + other.sample($0 + 20_000) })
        #expect((4_400..<20_000).allSatisfy { rest[$0] == one.sample($0 + 20_000) })
        #expect(studio.synchronizer.renderers.count == 1)
        #expect(!studio.synchronizer.removeRenderer(second))
    }

    @Test func aRendererJoinsAtAMediaTime() throws {
        let studio = try Studio()
        let material = Material()
        let late = AudioRenderer(route: studio.output.route)
        try late.enqueue(material.buffer(0..<96_000))
        try studio.synchronizer.setRate(1, time: .zero)
        _ = try studio.render(4_800)
        try studio.synchronizer.addRenderer(late, at: frame(9_600))
        let sound = try studio.render(20_000)
        #expect(sound[..<4_800].allSatisfy { $0 == 0 })
        #expect((5_200..<20_000).allSatisfy { sound[$0] == material.sample($0 + 4_800) })
    }

    @Test func volumeAndMuteScaleWithinARamp() throws {
        let studio = try Studio()
        let material = Material()
        try studio.renderer.enqueue(material.buffer(0..<96_000))
        try studio.synchronizer.setRate(1, time: .zero)
        studio.renderer.volume = 0.5
        studio.renderer.volume = .nan
        #expect(studio.renderer.volume == 0.5)
        let half = try studio.render(9_600)
        #expect((960..<9_600).allSatisfy { half[$0] == material.sample($0) * 0.5 })
        studio.renderer.isMuted = true
        #expect(try studio.render(9_600)[960...].allSatisfy { $0 == 0 })
        (studio.renderer.isMuted, studio.renderer.volume) = (false, 7)
        #expect(studio.renderer.volume == 1)
        let whole = try studio.render(9_600)
        #expect((960..<9_600).allSatisfy { whole[$0] == material.sample($0 + 19_200) })
    }

    @Test func whatCannotBeRenderedIsRefused() throws {
        #expect(throws: PlaybackError.self) { try OfflineOutput(sampleRate: 7_999) }
        let output = try OfflineOutput()
        #expect(throws: PlaybackError.self) { try output.render(-1) }
        #expect(throws: PlaybackError.self) { try output.render(OfflineOutput.maximumFrameCount + 1) }
        #expect(try output.render(0).frameCount == 0)
        output.clock.soon { #expect(throws: PlaybackError.self) { try output.render(1) } }
        #expect(try output.render(10).samples.allSatisfy { $0 == 0 })
    }
}
