import TestSupport
import Testing
import Tutti
import TuttiCodecs

@Suite(.repeatedWhenDisturbed) struct BadInputTests {
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

    @Test func dataThatDoNotFitTheirFormatAreSilentForTheirBuffer() throws {
        let flac = try Self.packets(.flac, sampleRate: 48_000, frames: 48_000)
        let fine = try Self.packets(.flac, sampleRate: 96_000, frames: 96_000)
        let opus = try Self.packets(.opus, sampleRate: 48_000, frames: 48_000)
        let format = try #require(flac.first).format
        let foreign: [(data: [UInt8], frames: Int)] = [
            (Array(fine[1].data), 4_096), (Array(opus[1].data), 960), (Array(flac[1].data.prefix(20)), 4_096),
            (Array(flac[1].data), 777), ([], 480),
        ]
        for (data, frames) in foreign {
            let studio = try Studio()
            let material = Material()
            try studio.renderer.enqueue(material.buffer(0..<12_000))
            let wrong = SampleBuffer(format: format, presentationTime: frame(12_000), frameCount: frames, data: data)
            try studio.renderer.enqueue(#require(wrong))
            try studio.renderer.enqueue(material.buffer(12_000 + frames..<60_000))
            try studio.synchronizer.setRate(1, time: .zero)
            let sound = try studio.render(48_000)
            #expect((0..<12_000).allSatisfy { sound[$0] == material.sample($0) })
            #expect(sound[12_000..<12_000 + frames].allSatisfy { $0 == 0 })
            #expect((12_000 + frames..<48_000).allSatisfy { sound[$0] == material.sample($0) })
        }
        let pcm = try #require(AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 24))
        #expect(SampleBuffer(format: pcm, presentationTime: .zero, frameCount: 10, data: [0, 1, 2]) == nil)
    }

    /// A packet of FLAC in the middle is damaged; those beside it come out bit for bit.
    @Test func aDecodersErrorIsOfOnePacketOnly() throws {
        var packets = try Self.packets(.flac, sampleRate: 48_000, frames: 96_000)
        let victim = packets[4]
        var data = victim.data
        for index in data.indices.dropFirst(data.count / 3).prefix(40) { data[index] ^= 0x5A }
        packets[4] = try #require(
            SampleBuffer(
                format: victim.format, presentationTime: victim.presentationTime, frameCount: victim.frameCount,
                trimAtStart: victim.trimAtStart, trimAtEnd: victim.trimAtEnd, data: data))
        let studio = try Studio()
        for packet in packets { try studio.renderer.enqueue(packet) }
        try studio.synchronizer.setRate(1, time: .zero)
        let sound = try studio.render(90_000)
        let start = Int(victim.presentationTime.frame(at: 48_000))
        for index in sound.indices {
            let isDamaged = (start..<start + victim.audibleFrameCount).contains(index)
            #expect(sound[index] == (isDamaged ? 0 : Self.step(index)))
        }
    }

    @Test func emptyBuffersChangeNothing() throws {
        let studio = try Studio()
        let format = try #require(AudioFormat(codec: .float32, sampleRate: 48_000, channelCount: 1, bitDepth: 32))
        let material = Material()
        try studio.renderer.enqueue(material.buffer(0..<48_000))
        for time in [0, 24_000, 48_000, 90_000] {
            let empty = SampleBuffer(format: format, presentationTime: frame(time), frameCount: 0, data: [])
            try studio.renderer.enqueue(#require(empty))
            let trimmed = SampleBuffer(
                format: format, presentationTime: frame(time), frameCount: 3, trimAtStart: 2, trimAtEnd: 1,
                data: [UInt8](repeating: 63, count: 12))
            try studio.renderer.enqueue(#require(trimmed))
        }
        #expect(studio.renderer.loadedTimeRanges == [TimeRange(start: .zero, end: frame(48_000))])
        studio.renderer.finishMediaData()
        try studio.synchronizer.setRate(1, time: .zero)
        let sound = try studio.render(60_000)
        #expect((0..<48_000).allSatisfy { sound[$0] == material.sample($0) })
        #expect(sound[48_000...].allSatisfy { $0 == 0 })
    }

    @Test func timesThatAreFarTooLargeAreRefusedOrHarmless() async throws {
        let studio = try Studio()
        let limit = MediaTime(frame: .max, sampleRate: 48_000)
        let material = Material()
        #expect(throws: PlaybackError.timeOutOfRange) {
            let late = SampleBuffer(interleaved: [0.5], channelCount: 1, sampleRate: 48_000, presentationTime: limit)
            try studio.renderer.enqueue(#require(late))
        }
        for instant in [Int64.min, .min + 1, .max - 1, .max] {
            #expect(throws: PlaybackError.timeOutOfRange) {
                try studio.synchronizer.setRate(1, time: .zero, atHostTime: HostTime(nanoseconds: instant))
            }
        }
        _ = studio.synchronizer.time(atHostTime: HostTime(nanoseconds: .min))
        _ = studio.synchronizer.time(atHostTime: HostTime(nanoseconds: .max))
        let boundary = try studio.synchronizer.addBoundaryTimeObserver(forTimes: [limit, .zero]) { _ in }
        let periodic = try studio.synchronizer.addPeriodicTimeObserver(forInterval: limit) { _ in }
        for rate in [1.0, 2, 0.5, 0] {
            try studio.synchronizer.setRate(rate, time: limit)
            #expect(try studio.render(4_800).allSatisfy { $0 == 0 })
            #expect(studio.synchronizer.currentTime >= limit - milliseconds(1))
            #expect(await studio.renderer.flush(fromSourceTime: limit) || rate > 0)
            studio.renderer.flush()
            _ = studio.renderer.isReadyForMoreMediaData
        }
        studio.synchronizer.removeTimeObserver(boundary)
        studio.synchronizer.removeTimeObserver(periodic)
        #expect(await studio.renderer.flush(fromSourceTime: -limit))
        // Decades away, but inside.
        let far = MediaTime(frame: 1_900_000_000, sampleRate: 1)
        let start = 1_900_000_000 * 48_000
        for rate in [1.0, 0.5, 1] {
            try studio.synchronizer.setRate(rate, time: far)
            try studio.renderer.enqueue(material.buffer(start..<start + 48_000))
            let sound = try studio.render(24_000)
            if rate == 1 { #expect((480..<24_000).allSatisfy { sound[$0] == material.sample(start + $0) }) }
        }
    }

    @Test(arguments: [1.0, 1.5])
    func aFlushDuringAPendingStartLeavesTheStart(rate: Double) throws {
        let studio = try Studio()
        let material = Material()
        try studio.renderer.enqueue(Material(edition: 2).buffer(0..<96_000))
        try studio.synchronizer.setRate(rate, time: .zero, atHostTime: studio.output.hostTime(ofFrame: 9_600))
        #expect(try studio.render(4_800).allSatisfy { $0 == 0 })
        studio.renderer.flush()
        #expect(studio.synchronizer.rate == rate)
        try studio.renderer.enqueue(material.buffer(0..<96_000))
        let sound = try studio.render(52_800)
        #expect(sound[..<4_800].allSatisfy { $0 == 0 })
        if rate == 1 {
            #expect((4_800..<52_800).allSatisfy { sound[$0] == material.sample($0 - 4_800) })
        } else {
            #expect(sound[5_300..<52_800].count { abs($0) > 0.01 } > 40_000)
        }
    }

    @Test(arguments: [1.0, 1.5])
    func tenThousandTinyBuffersInAnyOrderAreOneSound(rate: Double) throws {
        let studio = try Studio(depth: .seconds(20))
        let material = Material()
        let order = (0..<10_000).map { ($0 * 7_919) % 10_000 }
        for index in order { try studio.renderer.enqueue(material.buffer(index * 48..<(index + 1) * 48)) }
        #expect(studio.renderer.loadedTimeRanges == [TimeRange(start: .zero, end: frame(480_000))])
        studio.renderer.finishMediaData()
        try studio.synchronizer.setRate(rate, time: .zero)
        let length = Int(480_000 / rate)
        let sound = try studio.render(length + 4_800)
        if rate == 1 {
            #expect((0..<length).allSatisfy { sound[$0] == material.sample($0) })
        } else {
            #expect(sound[..<length].count { abs($0) > 0.01 } > length * 9 / 10)
        }
        #expect(sound[length...].allSatisfy { $0 == 0 })
    }

    /// A sound of 16 bits that says of each frame which it is.
    private static func step(_ frame: Int) -> Float { Float(frame * 7_919 % 50_000 - 25_000) / 32_768 }

    private static func packets(
        _ codec: AudioFormat.Codec, sampleRate: Int, frames: Int
    ) throws -> [SampleBuffer] {
        let encoder = try Codecs.makeEncoder(codec: codec, sourceRate: sampleRate, channels: 2, bitDepth: 16)
        let samples = (0..<frames).flatMap { [step($0), step($0)] }
        var time = MediaTime.zero
        return try (encoder.encode(samples) + encoder.finish()).map { packet in
            let buffer = try #require(
                SampleBuffer(
                    format: encoder.format, presentationTime: time, frameCount: packet.frameCount,
                    trimAtStart: packet.trimAtStart, trimAtEnd: packet.trimAtEnd, data: packet.data))
            time += buffer.duration
            return buffer
        }
    }
}
