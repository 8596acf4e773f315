import Testing
import TuttiClock
import TuttiCore
import TuttiPlayback
import TuttiRealtime
import TuttiRendering

/// A reference room and the rooms that follow it, in virtual time.
@Suite("Reference room") struct ReferenceRoomTests {
    /// The frame at which a room's sound begins, and whether all of the noise follows there bit by bit.
    private func bits(_ room: ReferenceHouse.Room, _ noise: [Float]) -> (begin: Int, isWhole: Bool) {
        let begin = (room.output.firstIndex { $0 != 0 } ?? 0) / 2 * 2
        let isWhole =
            room.output[begin...].prefix(noise.count).elementsEqual(noise)
            && room.output[(begin + noise.count)...].allSatisfy { $0 == 0 }
        return (begin / 2, isWhole)
    }

    @Test(
        "it plays every bit from the first frame to the last, and the others are in step with it", arguments: [16, 24])
    func everyBit(bits count: Int) {
        var house = ReferenceHouse(ppm: [80, 0, -60], length: 8, bits: count)
        house.lead(0)
        var worst = (first: 0.0, later: 0.0)
        house.run(until: 9.5) { house in
            guard (1.1..<8.9).contains(house.seconds) else { return }
            let offset = max(abs(house.offset(1, 0)), abs(house.offset(2, 0)))
            if house.seconds < 5 {
                worst.first = max(worst.first, offset)
            } else {
                worst.later = max(worst.later, offset)
            }
        }
        let (begin, isWhole) = bits(house.rooms[0], house.noise)
        #expect(isWhole, "from frame \(begin) on")
        #expect(house.rooms[0].reports.allSatisfy { $0.isBitExact })
        #expect(house.rooms[1].reports.contains { !$0.isBitExact }, "the others resample")
        // Half a frame is 10.4 µs.
        #expect(worst.first < 14 && worst.later < 2, "\(worst) µs")
        print("reference room, \(count) bits: others within \(worst.first) µs at first, \(worst.later) µs after 4 s")
    }

    @Test("it dies: the others go on together, where it would have been")
    func death() {
        var house = ReferenceHouse(ppm: [80, 0, -60], length: 24)
        house.lead(0)
        house.run(until: 10)
        let place = house.place(0)
        let before = (house.offset(1, 0), house.offset(2, 0))
        house.kill(0)
        var worst = (moved: 0.0, apart: 0.0)
        house.run(until: 24) { house in
            worst.moved = max(
                worst.moved, abs(house.offset(1, from: place, ppm: 80) - before.0),
                abs(house.offset(2, from: place, ppm: 80) - before.1))
            worst.apart = max(worst.apart, abs(house.offset(1, 2)))
        }
        #expect(worst.moved < 20 && worst.apart < 2, "\(worst) µs")
        for room in house.rooms[1...] {
            #expect(room.reports.allSatisfy { $0.stalls == 0 && $0.crossfades == 0 && $0.reanchors == 0 })
        }
        print("reference room dies: others move by \(worst.moved) µs in 14 s, are \(worst.apart) µs apart")
    }

    @Test("another takes over while it plays: nothing jumps, and that one plays bit by bit then")
    func handover() {
        var house = ReferenceHouse(ppm: [40, 0, -30], length: 42)
        house.lead(0)
        house.run(until: 8)
        house.lead(2)
        var worst = 0.0
        var before = (house.offset(1, 0), house.offset(2, 0))
        var step = 0.0
        house.run(until: 40) { house in
            let now = (house.offset(1, 0), house.offset(2, 0))
            worst = max(worst, abs(now.0), abs(now.1), abs(house.offset(1, 2)))
            step = max(step, abs(now.0 - before.0), abs(now.1 - before.1))
            before = now
        }
        #expect(worst < 14, "\(worst) µs apart")
        #expect(step < 5, "\(step) µs within 10 ms")
        #expect(house.rooms[2].reports.last?.isBitExact == true)
        #expect(house.rooms[0].reports.last?.isBitExact == false)
        let changes = house.rooms.map { room in room.reports.reduce(0) { $0 + $1.crossfades } }
        #expect(changes == [1, 0, 1], "each goes over once, in a crossfade")
        #expect(house.rooms.allSatisfy { room in room.reports.allSatisfy { $0.reanchors == 0 && $0.stalls == 0 } })
        let exact = house.rooms[2].reports.firstIndex { $0.isBitExact && $0.audibleDecks > 0 } ?? 0
        print(
            "handover over 70 ppm: \(worst) µs apart at most, \(step) µs a step, exact after \(Double(exact) / 100 - 8) s"
        )
    }

    @Test("no room is the reference any more: nothing jumps, and the line goes back to the clock's rate")
    func release() {
        var house = ReferenceHouse(ppm: [20, 0], length: 24)
        house.lead(0)
        house.run(until: 8)
        house.lead(nil)
        var worst = 0.0
        house.run(until: 24) { house in worst = max(worst, abs(house.offset(1, 0))) }
        #expect(worst < 5, "\(worst) µs")
        #expect(house.line.fit?.slope == 0)
    }

    @Test("after an xrun it is back in place and bit-perfect, and the line does not jump")
    func xrun() {
        var house = ReferenceHouse(ppm: [80, 0], length: 12)
        house.lead(0)
        house.run(until: 5)
        house.rooms[0].hasXrun = true
        house.run(until: 5.1)
        var worst = 0.0
        house.run(until: 12) { house in worst = max(worst, abs(house.offset(1, 0))) }
        #expect(worst < 14, "\(worst) µs")
        #expect(house.rooms[0].reports.last?.isBitExact == true)
    }

    @Test func aTrackOfAnotherRateIsResampledAndFollowed() {
        let deck = Deck(outputRate: 48_000, ringFrames: 1 << 15)
        var kernel = RenderKernel(
            decks: deck, Deck(outputRate: 48_000, ringFrames: 1 << 10), maximumPeriodFrames: 480)
        #expect(
            deck.program(
                DeckRun(
                    sourceRate: 44_100, anchorFrame: 0, anchorGroupNanoseconds: 0, anchorFraction: 0,
                    startGroupNanoseconds: 0)))
        _ = deck.write([Float](repeating: 0.25, count: 40_000).span)
        deck.arm()
        var samples = [Float](repeating: 0, count: 960)
        for number in 0..<20 {
            var period = RenderPeriod(
                frameCount: 480, groupNanoseconds: Int64(number) * 10_000_000, groupFraction: 0,
                groupNanosecondsPerFrame: 1e9 / 48_000)
            period.isReference = true
            let report = samples.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { kernel.render(period, into: $0) } ?? RenderReport()
            }
            #expect(report.hasOtherRate && report.isResampled && !report.isBitExact)
            #expect(report.referenceNanoseconds == 0, "it says nothing of frames")
        }
    }

    @Test func whatACardCanHoldIsKnown() throws {
        let room = ReferenceRoom()
        #expect(room.fits(bits: 24) == nil)
        room.noteSource(try #require(AudioFormat(codec: .flac, sampleRate: 48_000, channelCount: 2, bitDepth: 24)))
        #expect(room.fits(bits: 24) == true && room.fits(bits: 16) == false)
        room.noteSource(try #require(AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 32)))
        #expect(room.fits(bits: 32) == false, "samples have 24 bits on their way")
        room.noteSource(try #require(AudioFormat(codec: .opus, sampleRate: 48_000, channelCount: 2, bitDepth: 16)))
        #expect(room.fits(bits: 32) == nil)
        #expect(Fidelity.allCases.filter { $0.reason == nil } == [.exact])
    }
}
