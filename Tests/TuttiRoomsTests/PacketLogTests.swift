import Testing
import TuttiCore
import TuttiRooms
import TuttiWire

@Suite struct PacketLogTests {
    private func time(_ frame: Int64) -> MediaTime { MediaTime(frame: frame, sampleRate: 48_000) }

    /// A log of `count` packets of 480 frames and 10 bytes.
    private func log(_ count: Int64) throws -> PacketLog {
        let format = try #require(AudioFormat(codec: .flac, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        var log = PacketLog()
        for index in 0..<count {
            let buffer = SampleBuffer(
                format: format, presentationTime: time(index * 480), frameCount: 480,
                data: [UInt8](repeating: 0, count: 10))
            log.append(PacketLog.Entry(buffer: try #require(buffer), formatID: 0))
        }
        return log
    }

    @Test func everyInstantFindsItsPacket() throws {
        let log = try log(100)
        #expect(log.start == .zero && log.end == time(48_000) && log.byteCount == 1000)
        for index in 0..<100 {
            #expect(log.index(at: time(Int64(index) * 480)) == index)
            #expect(log.index(at: time(Int64(index) * 480 + 479)) == index)
        }
        #expect(log.index(at: time(-5)) == 0 && log.index(at: time(48_000)) == 100)
        #expect(log.contains(.zero) && log.contains(time(47_999)) && !log.contains(time(48_000)))
        #expect(log[99] != nil && log[100] == nil && log[-1] == nil)
    }

    @Test func whatIsCutIsGoneAndItsIndicesAreUsedAgain() throws {
        var log = try log(100)
        let first = log.cut(from: time(60 * 480))
        #expect(first == 60 && log.endIndex == 60 && log.end == time(60 * 480) && log.byteCount == 600)
        let none = log.cut(from: time(60 * 480))
        #expect(none == 60)
        log.trim(before: time(20 * 480), keepingFrom: 60)
        let all = log.cut(from: .zero)
        #expect(all == 20 && log.isEmpty && log.byteCount == 0)
    }

    @Test func aDecoderWithMemoryIsLetInBefore() throws {
        let format = try #require(AudioFormat(codec: .mp3, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        var log = try log(10)
        for index in 0..<100 {
            let buffer = SampleBuffer(
                format: format, presentationTime: time(4_800 + Int64(index) * 1_152), frameCount: 1_152, data: [1],
                preroll: index == 0 || index == 60 ? [] : nil)
            log.append(PacketLog.Entry(buffer: try #require(buffer), formatID: 1))
        }
        #expect(log.entrance(at: time(1_000)) == 2)
        // Half a second is 20.8 packets.
        #expect(log.entrance(at: time(4_800 + 50 * 1_152)) == 10 + 29)
        // Not beyond where the decoder begins anew, nor into another format.
        #expect(log.entrance(at: time(4_800 + 62 * 1_152)) == 10 + 60)
        #expect(log.entrance(at: time(4_800 + 5 * 1_152)) == 10)
        // A room that enters gets the same as what its decoder hears first, and nothing of it to play.
        let entering = try #require(log.entering(at: 10 + 50))
        #expect(entering.preroll?.count == 21 && entering.timeRange == log[10 + 50]?.buffer.timeRange)
        #expect(log.entering(at: 10 + 62)?.preroll?.count == 2)
        #expect(log.entering(at: 10 + 60)?.preroll == [] && log.entering(at: 5)?.preroll == nil)
        #expect(log.entering(at: 110) == nil)
    }

    @Test func whatADecoderHearsFirstIsNotMoreThanTravels() throws {
        let format = try #require(AudioFormat(codec: .opus, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        var log = PacketLog()
        for index in 0..<200 {
            let buffer = SampleBuffer(
                format: format, presentationTime: time(Int64(index) * 120), frameCount: 120,
                data: [UInt8](repeating: 0, count: index < 100 ? 100 : 5_000))
            log.append(PacketLog.Entry(buffer: try #require(buffer), formatID: 1))
        }
        #expect(log.entering(at: 90)?.preroll?.count == WireLimits.prerollPackets)
        #expect(log.entering(at: 190)?.preroll?.count == WireLimits.prerollBytes / 5_000)
    }

    @Test func indicesStayWhenTheFrontGoes() throws {
        var log = try log(1000)
        for step in 1...900 {
            log.trim(before: time(Int64(step) * 480), keepingFrom: 1000)
            #expect(log.firstIndex == step && log.endIndex == 1000)
            #expect(log[step]?.buffer.presentationTime == time(Int64(step) * 480) && log[step - 1] == nil)
            #expect(log.index(at: .zero) == step && log.byteCount == (1000 - step) * 10)
        }
        log.trim(before: time(1_000_000), keepingFrom: 950)
        #expect(log.firstIndex == 950)
        log.removeAll()
        #expect(log.isEmpty && log.firstIndex == 1000 && log.start == nil && log.byteCount == 0)
        #expect(log.index(at: .zero) == 1000 && log[950] == nil)
    }
}
