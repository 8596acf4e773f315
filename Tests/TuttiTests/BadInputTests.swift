import Testing
import Tutti

@Suite struct BadInputTests {
    @Test func whatCannotBeDecodedIsRefusedByName() throws {
        let studio = try Studio()
        let flac = try #require(AudioFormat(codec: .flac, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        let opus = try #require(AudioFormat(codec: .opus, sampleRate: 44_100, channelCount: 2, bitDepth: 16))
        for format in [flac, opus] {
            let buffer = try #require(
                SampleBuffer(format: format, presentationTime: .zero, frameCount: 960, data: [1, 2, 3]))
            #expect {
                try studio.renderer.enqueue(buffer)
            } throws: { error in
                guard case .unsupportedFormat? = error as? PlaybackError else { return false }
                return true
            }
        }
        #expect(studio.renderer.status == .unknown && studio.renderer.loadedTimeRanges.isEmpty)
    }

    @Test func aDamagedPacketIsSilentAndNoOther() throws {
        let studio = try Studio()
        let opus = try #require(AudioFormat(codec: .opus, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        let material = Material()
        try studio.renderer.enqueue(material.buffer(0..<9_600))
        try studio.renderer.enqueue(
            #require(
                SampleBuffer(
                    format: opus, presentationTime: frame(9_600), frameCount: 960,
                    data: [UInt8](repeating: 0xFF, count: 40))))
        try studio.renderer.enqueue(material.buffer(10_560..<60_000))
        try studio.synchronizer.setRate(1, time: .zero)
        let sound = try studio.render(48_000)
        #expect((0..<9_600).allSatisfy { sound[$0] == material.sample($0) })
        #expect((10_560..<48_000).allSatisfy { sound[$0] == material.sample($0) })
    }

    @Test func buffersOutOfOrderArePutInOrder() throws {
        let studio = try Studio()
        let material = Material()
        for start in [96_000, 0, 48_000] { try studio.renderer.enqueue(material.buffer(start..<start + 48_000)) }
        try studio.synchronizer.setRate(1, time: .zero)
        let sound = try studio.render(140_000)
        #expect(sound.indices.allSatisfy { abs(sound[$0] - material.sample($0)) < 1e-6 })
    }

    @Test func aBufferTakesThePlaceOfWhatItOverlaps() throws {
        let studio = try Studio()
        let (old, new) = (Material(), Material(edition: 2))
        try studio.renderer.enqueue(old.buffer(0..<144_000))
        try studio.synchronizer.setRate(1, time: .zero)
        _ = try studio.render(4_800)
        try studio.renderer.enqueue(new.buffer(48_000..<72_000))
        let sound = try studio.render(130_000)
        // Cuts lie between frames, with ramps of 8 ms at most.
        for index in sound.indices {
            let media = index + 4_800
            if (47_500..<49_000).contains(media) || (71_500..<73_000).contains(media) { continue }
            #expect(sound[index] == ((48_000..<72_000).contains(media) ? new : old).sample(media))
        }
    }

    @Test func badCommandsChangeNothing() throws {
        let studio = try Studio()
        try studio.synchronizer.setRate(1, time: milliseconds(500))
        for rate in [Double.nan, .infinity, -1, 0.4] {
            #expect(throws: PlaybackError.self) { try studio.synchronizer.setRate(rate, time: .zero) }
        }
        #expect(throws: PlaybackError.negativeTime(milliseconds(-1))) {
            try studio.synchronizer.setRate(1, time: milliseconds(-1))
        }
        #expect(studio.synchronizer.rate == 1 && studio.synchronizer.currentTime == milliseconds(500))
        #expect(throws: PlaybackError.negativeTime(milliseconds(-10))) {
            let format = AudioFormat(codec: .float32, sampleRate: 48_000, channelCount: 1, bitDepth: 32)
            let buffer = SampleBuffer(
                format: try #require(format), presentationTime: milliseconds(-10), frameCount: 1,
                data: [0, 0, 0, 0])
            try studio.renderer.enqueue(#require(buffer))
        }
        let other = try OfflineOutput()
        #expect(throws: PlaybackError.otherClock) { try studio.renderer.setRoute(other.route) }
        #expect(throws: PlaybackError.otherClock) {
            try studio.synchronizer.addRenderer(AudioRenderer(route: other.route))
        }
        #expect(throws: PlaybackError.alreadyAttached) { try studio.synchronizer.addRenderer(studio.renderer) }
    }

    @Test func numbersThatAreNoneBecomeSilence() throws {
        let studio = try Studio()
        let samples = (0..<96_000).map { $0 % 3 == 0 ? Float.nan : $0 % 3 == 1 ? .infinity : 0.25 }
        let buffer = SampleBuffer(interleaved: samples, channelCount: 1, sampleRate: 96_000, presentationTime: .zero)
        try studio.renderer.enqueue(#require(buffer))
        try studio.synchronizer.setRate(1, time: .zero)
        #expect(try studio.render(40_000).allSatisfy { $0.isFinite })
    }
}
