import Glibc
import Testing
import TuttiCore
import TuttiPlayback

/// What many small packets, in whatever order, cost in time and memory.
@Suite struct PacketStoreLoadTests {
    private static let rate = 48_000

    private func packet(
        _ start: Int64, _ frames: Int = 1, bytes: Int = 1, mark: UInt8 = 0, cookie: [UInt8] = [],
        preroll: [PrerollPacket]? = nil
    ) throws -> SampleBuffer {
        let format = try #require(
            AudioFormat(codec: .opus, sampleRate: Self.rate, channelCount: 2, bitDepth: 16, magicCookie: cookie))
        return try #require(
            SampleBuffer(
                format: format, presentationTime: at(start), frameCount: frames,
                data: [UInt8](repeating: mark, count: bytes), preroll: preroll))
    }

    private func at(_ frame: Int64) -> MediaTime { MediaTime(frame: frame, sampleRate: Self.rate) }

    /// Processor time of this thread that something takes, in seconds: what else the machine does counts for nothing.
    private func effort(_ body: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let begin = now()
        try body()
        return now() - begin
    }

    /// How many times as much work four times as many packets are.
    private func growth(_ count: Int, _ work: (Int) throws -> Double) rethrows -> Double {
        let small = try work(count)
        return try work(4 * count) / max(small, 1e-6)
    }

    @Test func onePacketOverManyIsPutInAtOnce() throws {
        // Sixteen times as much where each is taken out of all.
        let growth = try growth(20_000) { count in
            var store = PacketStore(maximumPackets: 180_000, maximumBytes: 1 << 26)
            for index in 0..<Int64(count) { #expect(store.insert(try packet(index)) == .inserted) }
            let cover = try packet(0, count, mark: 9)
            let effort = effort { #expect(store.insert(cover) == .replaced) }
            #expect(store.count == 1 && store.byteCount == 1)
            #expect(store.loadedTimeRanges == [TimeRange(start: .zero, end: at(Int64(count)))])
            return effort
        }
        #expect(growth < 9)
    }

    @Test func packetsThatComeBackToFrontArePutInAsFast() throws {
        let growth = try growth(15_000) { count in
            var store = PacketStore(maximumPackets: 180_000, maximumBytes: 1 << 26)
            let packets = try (0..<Int64(count)).reversed().map { try packet($0 * 2) }
            let effort = effort { for packet in packets { _ = store.insert(packet) } }
            #expect(store.count == count)
            return effort
        }
        #expect(growth < 9)
    }

    @Test func spansAreWorkedOutAnewForWhatHasChangedAlone() throws {
        var store = PacketStore(maximumPackets: 180_000, maximumBytes: 1 << 26)
        for index in 0..<60_000 as Range<Int64> { _ = store.insert(try packet(index)) }
        let whole = try effort {
            // Each block has been looked at once.
            _ = store.insert(try packet(7))
            #expect(store.loadedTimeRanges.count == 1)
        }
        let again = try effort {
            for index in 0..<10 as Range<Int64> {
                _ = store.insert(try packet(index * 5_000 + 9))
                #expect(store.loadedTimeRanges == [TimeRange(start: .zero, end: at(60_000))])
            }
        }
        #expect(again / 10 < whole / 3, "\(again) s for ten, \(whole) s for all")
    }

    @Test func aPlayheadFarAheadOfManyGapsPassesThemAtOnce() throws {
        let growth = try growth(15_000) { count in
            var store = PacketStore(maximumPackets: 180_000, maximumBytes: 1 << 26)
            for index in 0..<Int64(count) { _ = store.insert(try packet(index * 2)) }
            #expect(store.loadedTimeRanges.count == count)
            let effort = effort { store.remove(before: at(Int64(count) * 2 - 3)) }
            #expect(store.count == 1 && store.loadedTimeRanges.count == 1)
            return effort
        }
        #expect(growth < 9)
    }

    // MARK: Memory

    @Test func smallPrerollsCountForWhatTheyTake() throws {
        var store = PacketStore(maximumPackets: 180_000, maximumBytes: 1 << 20)
        let lead = try #require(PrerollPacket(frameCount: 960, data: [1]))
        let leads = [PrerollPacket](repeating: lead, count: 64)
        var count = 0
        while store.insert(try packet(Int64(count), preroll: leads)) == .inserted { count += 1 }
        // A byte each alone would let in four times as many.
        #expect(count < (2 << 20) / (64 * 9))
        #expect(store.cost <= 2 << 20 && store.byteCount == count * 65)
        #expect(store.packet(covering: at(5))?.preroll == leads)
        store.remove(from: .zero)
        #expect(store.cost == 0)
    }

    @Test func cookiesCountAsLongAsAnyPacketHasThem() throws {
        var store = PacketStore(maximumPackets: 180_000, maximumBytes: 1 << 20)
        func cookie(_ number: Int) -> [UInt8] {
            [UInt8(number & 255), UInt8(number >> 8)] + [UInt8](repeating: 0, count: 32_000)
        }
        var count = 0
        while store.insert(try packet(Int64(count), cookie: cookie(count))) == .inserted { count += 1 }
        #expect(count < 70 && store.cost <= 2 << 20)
        // Another packet of a format that is there costs a byte.
        let before = store.cost
        store.remove(before: at(10))
        #expect(store.cost < before - 9 * 32_000)
        #expect(store.insert(try packet(Int64(count), cookie: cookie(count - 1))) == .inserted)
        for index in 0..<10_000 {
            _ = store.insert(try packet(Int64(count), cookie: cookie(index)))
            #expect(store.cost <= 2 << 20)
        }
        store.removeAll()
        #expect(store.cost == 0)
    }

    // MARK: Order

    /// Random operations over many blocks against a table of which insertion each frame belongs to.
    @Test(arguments: [1, 2, 3] as [UInt64]) func manyPacketsMatchAModel(seed: UInt64) throws {
        var store = PacketStore(maximumPackets: 20_000, maximumBytes: 1 << 30)
        let length = 6_000
        var model = [UInt8?](repeating: nil, count: length)
        var random = SplitMix64(seed: seed)
        for step in 1...16_000 {
            let start = Int(random.next() % UInt64(length - 100))
            let mark = UInt8(step % 251)
            switch random.next() % 4_000 {
            case 0:
                store.remove(from: at(Int64(start)))
                for frame in start..<length { model[frame] = nil }
            case 1:
                store.remove(before: at(Int64(start / 4)))
                let boundary = store.first.map { Int($0.presentationTime.frame(at: Self.rate)) } ?? length
                for frame in 0..<min(boundary, start / 4) { model[frame] = nil }
            case 2...30:
                _ = store.insert(try packet(Int64(start), 90, mark: mark))
                for frame in start..<start + 90 { model[frame] = mark }
            default:
                let frames = 1 + Int(random.next() % 2)
                _ = store.insert(try packet(Int64(start), frames, mark: mark))
                for frame in start..<start + frames { model[frame] = mark }
            }
            if step % 2_000 == 0 { try check(&store, model) }
        }
    }

    private func check(_ store: inout PacketStore, _ model: [UInt8?]) throws {
        for frame in model.indices {
            try #require(store.packet(covering: at(Int64(frame)))?.data.first == model[frame], "frame \(frame)")
        }
        var runs: [TimeRange] = []
        for (frame, mark) in model.enumerated() where mark != nil {
            runs.append(TimeRange(start: at(Int64(frame)), duration: at(1)))
        }
        try #require(store.loadedTimeRanges == runs.coalesced())
        let starts = store.packets(from: .zero).map(\.presentationTime)
        try #require(starts == starts.sorted() && starts.count == store.count)
    }
}
