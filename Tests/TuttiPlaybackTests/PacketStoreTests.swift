import Testing
import TuttiCore
import TuttiPlayback

@Suite("Packet store")
struct PacketStoreTests {
    private func packet(_ start: Int64, _ frames: Int = 960, rate: Int = 48_000, mark: UInt8 = 0) throws -> SampleBuffer
    {
        let format = try #require(AudioFormat(codec: .opus, sampleRate: rate, channelCount: 2, bitDepth: 16))
        let time = MediaTime(frame: start, sampleRate: rate)
        return try #require(
            SampleBuffer(
                format: format, presentationTime: time, frameCount: frames, data: [UInt8](repeating: mark, count: 100)))
    }

    private func at(_ frame: Int64, _ rate: Int = 48_000) -> MediaTime { MediaTime(frame: frame, sampleRate: rate) }

    private func store() -> PacketStore { PacketStore(maximumPackets: 20_000, maximumBytes: 1 << 30) }

    @Test func fiveMinutesInOrder() throws {
        var store = store()
        for index in 0..<15_000 { #expect(store.insert(try packet(Int64(index) * 960)) == .inserted) }
        #expect(store.count == 15_000 && store.byteCount == 1_500_000)
        #expect(abs(store.bufferedSeconds - 300) < 1e-9)
        #expect(store.loadedTimeRanges == [TimeRange(start: .zero, end: at(15_000 * 960))])
        #expect(store.packet(covering: at(960 * 7_000 + 959))?.presentationTime == at(960 * 7_000))
        #expect(store.next(after: at(960 * 7_000 + 1))?.presentationTime == at(960 * 7_001))
        #expect(store.packet(covering: at(960 * 15_000)) == nil)
        #expect(store.next(after: at(960 * 15_000)) == nil)
        store.remove(before: at(960 * 5_000 + 10))
        #expect(store.first?.presentationTime == at(960 * 5_000))
        #expect(store.count == 10_000 && store.byteCount == 1_000_000)
        #expect(store.loadedTimeRanges == [TimeRange(start: at(960 * 5_000), end: at(960 * 15_000))])
        #expect(store.packet(covering: at(0)) == nil)
    }

    @Test func outOfOrderWithAHole() throws {
        var store = store()
        for index in [3, 0, 1, 5] as [Int64] { #expect(store.insert(try packet(index * 960)) == .inserted) }
        #expect(
            store.loadedTimeRanges == [
                TimeRange(start: .zero, end: at(1_920)), TimeRange(start: at(2_880), end: at(3_840)),
                TimeRange(start: at(4_800), end: at(5_760)),
            ])
        #expect(store.insert(try packet(1_920)) == .inserted)
        #expect(store.loadedTimeRanges.first == TimeRange(start: .zero, end: at(3_840)))
        #expect(store.packet(covering: at(4_000)) == nil)
    }

    @Test func theLaterPacketWins() throws {
        var store = store()
        for index in 0..<4 as Range<Int64> { _ = store.insert(try packet(index * 960)) }
        #expect(store.insert(try packet(960, mark: 7)) == .replaced)
        #expect(store.count == 4 && store.byteCount == 400)
        #expect(store.packet(covering: at(1_000))?.data.first == 7)
        // Half over two packets: both are trimmed.
        #expect(store.insert(try packet(2_400, mark: 9)) == .replaced)
        #expect(store.count == 5)
        #expect(store.packet(covering: at(2_399))?.trimAtEnd == 480)
        let rest = try #require(store.packet(covering: at(3_360)))
        #expect(rest.trimAtStart == 480 && rest.presentationTime == at(3_360))
        #expect(abs(store.bufferedSeconds - 0.08) < 1e-12)
        // Inside one packet: it is split.
        #expect(store.insert(try packet(100, 50, mark: 5)) == .replaced)
        #expect(store.count == 7 && abs(store.bufferedSeconds - 0.08) < 1e-12)
        #expect(store.packet(covering: at(99))?.audibleFrameCount == 100)
        #expect(store.packet(covering: at(120))?.data.first == 5)
        #expect(store.packet(covering: at(150))?.audibleFrameCount == 810)
        #expect(store.loadedTimeRanges == [TimeRange(start: .zero, end: at(3_840))])
        // Over everything: it alone remains.
        #expect(store.insert(try packet(0, 9_600, mark: 1)) == .replaced)
        #expect(store.count == 1 && store.byteCount == 100)
    }

    @Test func aFlushFromATimeTrimsThePacketAcrossIt() throws {
        var store = store()
        for index in 0..<10 as Range<Int64> { _ = store.insert(try packet(index * 960)) }
        store.remove(from: at(1_000))
        #expect(store.count == 2 && store.last?.audibleFrameCount == 40)
        #expect(store.loadedTimeRanges == [TimeRange(start: .zero, end: at(1_000))])
        #expect(store.insert(try packet(1_000)) == .inserted)
        store.remove(from: at(-5))
        #expect(store.isEmpty && store.byteCount == 0 && store.bufferedSeconds == 0)
        #expect(store.loadedTimeRanges.isEmpty)
    }

    @Test func timesRoundedToAnotherScaleNeitherOverlapNorLeaveAGap() throws {
        var store = store()
        let format = try #require(AudioFormat(codec: .flac, sampleRate: 44_100, channelCount: 2, bitDepth: 16))
        for index in 0..<100 as Range<Int64> {
            let time = at(index * 4_096, 44_100).converted(to: 1_000_000)
            let buffer = try #require(
                SampleBuffer(format: format, presentationTime: time, frameCount: 4_096, data: [1, 2, 3]))
            #expect(store.insert(buffer) == .inserted)
        }
        #expect(store.count == 100 && store.loadedTimeRanges.count == 1)
    }

    @Test func limitsHold() throws {
        var store = PacketStore(maximumPackets: 3, maximumBytes: 250)
        #expect(store.insert(try packet(0)) == .inserted)
        #expect(store.insert(try packet(960)) == .inserted)
        #expect(store.insert(try packet(1_920)) == .full)
        store.remove(before: at(960))
        #expect(store.insert(try packet(1_920)) == .inserted)
        #expect(store.insert(try packet(5_000, 0)) == .ignored)
    }

    /// Random operations against a table of which insertion each frame belongs to.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func randomOperationsMatchAModel(seed: UInt64) throws {
        var store = store()
        var model = [UInt8?](repeating: nil, count: 600)
        var state = seed
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for step in 1...250 {
            let start = random(500)
            switch random(12) {
            case 0:
                store.remove(from: at(Int64(start)))
                for frame in start..<600 { model[frame] = nil }
            case 1:
                store.remove(before: at(Int64(start / 8)))
                let boundary = store.first.map { Int($0.presentationTime.frame(at: 48_000)) } ?? 600
                for frame in 0..<min(boundary, start / 8) { model[frame] = nil }
            default:
                let length = 1 + random(90)
                let mark = UInt8(step % 251)
                _ = store.insert(try packet(Int64(start), length, mark: mark))
                for frame in start..<start + length { model[frame] = mark }
            }
            for frame in 0..<600 {
                let found = store.packet(covering: at(Int64(frame)))?.data.first
                try #require(found == model[frame], "step \(step), frame \(frame)")
            }
            let held = model.count { $0 != nil }
            try #require(abs(store.bufferedSeconds * 48_000 - Double(held)) < 1e-6)
            let ranges = store.loadedTimeRanges.map { $0.duration.frame(at: 48_000) }.reduce(0, +)
            try #require(ranges == Int64(held))
        }
    }
}

extension PacketStoreTests {
    /// A packet of `count` bytes that are all `mark`.
    private func packet(_ index: Int64, count: Int, mark: UInt8, preroll: [PrerollPacket]? = nil) throws -> SampleBuffer
    {
        let format = try #require(AudioFormat(codec: .opus, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        return try #require(
            SampleBuffer(
                format: format, presentationTime: MediaTime(frame: index * 960, sampleRate: 48_000), frameCount: 960,
                data: [UInt8](repeating: mark, count: count), preroll: preroll))
    }

    @Test func packetsOfAnySizeKeepTheirBytes() throws {
        var store = PacketStore(maximumPackets: 20_000, maximumBytes: 1 << 30)
        let sizes = [300, 0, 20_000, 1, 70_000, 16_384, 16_385, 0, 60_000]
        let lead = try #require(PrerollPacket(frameCount: 960, data: [1, 2, 3]))
        for index in 0..<2_000 {
            let packet = try packet(
                Int64(index), count: sizes[index % sizes.count], mark: UInt8(index % 251),
                preroll: index % 5 == 0 ? [lead] : nil)
            #expect(store.insert(packet) == .inserted)
        }
        store.remove(before: MediaTime(frame: 500 * 960, sampleRate: 48_000))
        store.remove(from: MediaTime(frame: 1_500 * 960 + 480, sampleRate: 48_000))
        // Some of those that are left give way to others.
        for index in stride(from: 600, to: 1_400, by: 7) {
            #expect(store.insert(try packet(Int64(index), count: 40, mark: 252)) == .replaced)
        }
        var bytes = 0
        for index in 500..<1_501 {
            let held = try #require(store.packet(covering: MediaTime(frame: Int64(index) * 960, sampleRate: 48_000)))
            let isReplaced = index >= 600 && index < 1_400 && (index - 600) % 7 == 0
            #expect(held.data.count == (isReplaced ? 40 : sizes[index % sizes.count]))
            #expect(held.data.allSatisfy { $0 == (isReplaced ? 252 : UInt8(index % 251)) })
            #expect(held.preroll == (isReplaced || index % 5 != 0 ? nil : [lead]))
            bytes += held.byteCount
        }
        #expect(store.byteCount == bytes && store.count == 1_001)
    }

    @Test func whatIsLeftOfManyPacketsCannotFillTheMemory() throws {
        var store = PacketStore(maximumPackets: 1 << 20, maximumBytes: 1 << 20)
        var outcome = PacketStore.InsertOutcome.inserted
        // Of each allocation all packets but one are replaced by empty ones.
        for round in 0..<200 where outcome != .full {
            for index in 0..<64 { outcome = store.insert(try packet(Int64(round * 64 + index), count: 1_000, mark: 1)) }
            for index in 1..<64 { outcome = store.insert(try packet(Int64(round * 64 + index), count: 0, mark: 0)) }
        }
        #expect(outcome == .full)
        store.removeAll()
        #expect(store.insert(try packet(0, count: 1_000, mark: 1)) == .inserted)
    }
}
