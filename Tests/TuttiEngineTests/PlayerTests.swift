import Testing
import TuttiEngine

@Suite("Player")
struct PlayerTests {
    let engine: AudioEngine
    let player = PlayerNode()
    let log = Log()

    init() throws {
        engine = try offlineEngine(mono)
        try engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
    }

    /// A handler that writes down a name.
    private func note(_ name: String) -> PlayerNode.CompletionHandler {
        { [log] kind in log.add("\(name) \(kind)") }
    }

    private func render(_ frames: Int, by sizes: [Int] = [480]) throws -> [Float] {
        try engine.render(frames, by: sizes)[0]
    }

    @Test("entries follow each other without a gap, files and buffers")
    func sequence() throws {
        let parts = (0..<5).map { noise(1_000 + 333 * $0, seed: UInt64($0)) }
        try player.scheduleFile(MemoryFile([parts[0]]))
        try player.scheduleBuffer(buffer([parts[1]]))
        let file = MemoryFile([parts[2] + parts[3]])
        try player.scheduleSegment(file, startingFrame: Int64(parts[2].count), frameCount: Int64(parts[3].count))
        try player.scheduleSegment(file, startingFrame: 0, frameCount: Int64(parts[2].count))
        try player.scheduleBuffer(buffer([parts[4]]))
        try engine.start()
        try player.play()
        let expected = parts[0] + parts[1] + parts[3] + parts[2] + parts[4]
        #expect(try render(expected.count, by: [1, 4_096, 100]) == expected)
        #expect(player.missingFrameCount == 0)
    }

    @Test("entries begin at their times, or when what is before them is over")
    func times() throws {
        let part = noise(100, seed: 1)
        try player.scheduleBuffer(buffer([part]), at: 50)
        try player.scheduleBuffer(buffer([part]), at: 100)
        try player.scheduleBuffer(buffer([part]), at: 1_000)
        try engine.start()
        _ = try render(30)
        try player.play(at: 40)
        let output = try render(2_000, by: [77])
        let start = 10
        #expect(output[0..<start + 50].allSatisfy { $0 == 0 })
        #expect(Array(output[start + 50..<start + 250]) == part + part)
        #expect(output[start + 250..<start + 1_000].allSatisfy { $0 == 0 })
        #expect(Array(output[start + 1_000..<start + 1_100]) == part)
        let time = AudioTime(sampleTime: 140, sampleRate: 48_000)
        #expect(player.playerTime(forNodeTime: time)?.sampleTime == 100)
        #expect(player.nodeTime(forPlayerTime: AudioTime(sampleTime: 100, sampleRate: 48_000)) == time)
    }

    @Test("loops go round until another entry interrupts them, at its time")
    func loops() throws {
        let (round, next) = (noise(300, seed: 1), noise(500, seed: 2))
        try player.scheduleBuffer(buffer([round]), options: .loops, completionHandler: note("loop"))
        try player.scheduleBuffer(buffer([next]), completionHandler: note("never"))
        try player.scheduleFile(MemoryFile([round]), at: 1_000, options: [.interrupts, .loops])
        try engine.start()
        try player.play()
        let output = try render(3_000, by: [64])
        #expect((0..<1_000).first { output[$0] != round[$0 % 300] } == nil)
        #expect((1_240..<3_000).allSatisfy { output[$0] == round[($0 - 1_000) % 300] })
        #expect(log.all == ["loop dataConsumed", "never dataConsumed"])
        try player.scheduleBuffer(buffer([next]), options: .interrupts)
        let last = try render(600)
        #expect(Array(last[240..<500]) == Array(next[240..<500]))
        #expect(last[500...].allSatisfy { $0 == 0 })
    }

    @Test("interruptions, pauses and stops do not click")
    func smooth() throws {
        let low = sine(80, 40_000)
        try player.scheduleFile(MemoryFile([low]))
        try engine.start()
        try player.play()
        var output = try render(1_111)
        player.pause()
        output += try render(1_000)
        #expect(output.suffix(700).allSatisfy { $0 == 0 })
        try player.play()
        output += try render(1_000)
        #expect(Array(output.suffix(100)) == Array(low[2_011..<2_111]), "goes on where it was")
        try player.scheduleBuffer(buffer([sine(80, 5_000)]), options: .interrupts)
        output += try render(1_234)
        player.stop()
        output += try render(1_000)
        #expect(output.suffix(700).allSatisfy { $0 == 0 })
        #expect(sharpness(output) < 3 * sharpness(low) + 0.006)
        #expect(!player.isPlaying)
        try player.scheduleBuffer(buffer([low]))
        try player.play()
        #expect(try render(1_000) == Array(low.prefix(1_000)))
    }

    @Test("handlers are called once, in order, when it is time")
    func completions() throws {
        let delay = MixerNode()
        try engine.attach(delay)
        try engine.connect(delay, to: engine.mainMixerNode)
        // A conversion makes the way to the output 64 frames long and more.
        try engine.connect(player, to: delay, format: EngineFormat(sampleRate: 24_000, channelCount: 1))
        for index in 0..<3 {
            for kind in PlayerNode.CompletionCallbackType.allCases {
                try player.scheduleBuffer(
                    buffer([noise(100, seed: 1)], rate: 24_000), completionCallbackType: kind,
                    completionHandler: note("\(index)"))
            }
        }
        try engine.start()
        try player.play()
        var seen: [[String]] = []
        for _ in 0..<40 {
            let before = log.all.count
            _ = try render(50, by: [50])
            seen.append(Array(log.all[before...]))
        }
        #expect(log.all.count == 9)
        #expect(Set(log.all).count == 9)
        for index in 0..<3 {
            let kinds = log.all.filter { $0.hasPrefix("\(index)") }
            #expect(kinds == PlayerNode.CompletionCallbackType.allCases.map { "\(index) \($0)" })
        }
        let rendered = try #require(seen.firstIndex { $0.contains("2 dataRendered") })
        let played = try #require(seen.firstIndex { $0.contains("2 dataPlayedBack") })
        // One buffer is 200 frames of the engine: four calls; and the filter is late by more than one.
        #expect(played - rendered >= 5)
        player.stop()
        engine.stop()
        #expect(log.all.count == 9)
    }

    @Test("a stop calls the handlers of all that was scheduled, once")
    func stopCompletes() throws {
        for index in 0..<4 {
            try player.scheduleBuffer(
                buffer([noise(1_000, seed: 1)]), completionCallbackType: .dataPlayedBack,
                completionHandler: note("\(index)"))
        }
        player.stop()
        #expect(log.all.count == 4, "without an engine at once")
        for index in 4..<8 {
            try player.scheduleBuffer(buffer([noise(1_000, seed: 1)]), completionHandler: note("\(index)"))
        }
        try engine.start()
        try player.play()
        _ = try render(1_500)
        #expect(log.all.count == 5)
        player.stop()
        _ = try render(10)
        #expect(log.all == (0..<8).map { "\($0) \($0 < 4 ? "dataPlayedBack" : "dataConsumed")" })
        try player.scheduleBuffer(buffer([noise(1_000, seed: 1)]), completionHandler: note("8"))
        player.stop()
        engine.stop()
        #expect(log.all.count == 9)
    }

    @Test("a stop after the player was detached calls the handlers as well")
    func detachedCompletes() throws {
        try player.scheduleBuffer(
            buffer([noise(5_000, seed: 1)]), completionCallbackType: .dataPlayedBack, completionHandler: note("0"))
        try engine.start()
        try player.play()
        _ = try render(1_000)
        try engine.detach(player)
        player.stop()
        #expect(log.all.isEmpty)
        _ = try render(1_000)
        #expect(log.all == ["0 dataPlayedBack"])
        try engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        let next = noise(500, seed: 2)
        try player.scheduleBuffer(buffer([next]), completionHandler: note("1"))
        try player.play()
        #expect(Array(try render(500).suffix(200)) == Array(next.suffix(200)))
        #expect(log.all.last == "1 dataConsumed")
    }

    @Test("a file of another rate and other channels is converted without delay")
    func conversion() throws {
        let file = MemoryFile([sine(997, 44_100, rate: 44_100), sine(997, 44_100, rate: 44_100)], sampleRate: 44_100)
        try player.scheduleFile(file)
        try player.scheduleBuffer(buffer([[1, 1, 1]]))
        try engine.start()
        try player.play()
        let output = try render(48_003, by: [480, 1_000])
        let expected = sine(997, 48_000)
        let error = (200..<47_800).map { abs(output[$0] - expected[$0]) }.max() ?? 1
        #expect(error < 1e-5)
        #expect(output.suffix(3) == [1, 1, 1])
    }

    @Test("files that fail or are no good are left out, and that is told")
    func failures() throws {
        let good = noise(2_000, seed: 9)
        try player.scheduleFile(MemoryFile([noise(20_000, seed: 1)], failsAt: 9_000), completionHandler: note("bad"))
        try player.scheduleFile(MemoryFile([good]))
        try engine.start()
        try player.play()
        let output = try render(10_192)
        #expect(Array(output.suffix(2_000)) == good)
        #expect(player.fileError is MemoryFile.Broken)
        #expect(log.all == ["bad dataConsumed"])
        let file = MemoryFile([good])
        #expect(throws: AudioEngineError.invalidSegment(start: 1_999, frameCount: 2, length: 2_000)) {
            try player.scheduleSegment(file, startingFrame: 1_999, frameCount: 2)
        }
        #expect(throws: AudioEngineError.invalidSegment(start: .max, frameCount: .max, length: 2_000)) {
            try player.scheduleSegment(file, startingFrame: .max, frameCount: .max)
        }
        let six = MemoryFile([[Float]](repeating: good, count: 6))
        #expect(throws: AudioEngineError.formatMismatch(source: six.format, destination: mono)) {
            try player.scheduleFile(six)
        }
        #expect(throws: AudioEngineError.unsuitableBuffer(format: mono, capacity: 10)) {
            try player.scheduleBuffer(buffer([[Float]](repeating: Array(good.prefix(10)), count: 2)))
        }
    }

    @Test("the schedule is bounded")
    func bounds() throws {
        let one = try buffer([[0.5]])
        for _ in 0..<4_096 { try player.scheduleBuffer(one) }
        #expect(throws: AudioEngineError.scheduleFull(maximum: 4_096)) { try player.scheduleBuffer(one) }
        try engine.start()
        try player.play()
        #expect(try render(4_097, by: [4_096]).filter { $0 == 0.5 }.count == 4_096)
        try player.scheduleBuffer(one)
    }
}
