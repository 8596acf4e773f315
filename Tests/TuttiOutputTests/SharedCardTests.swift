import Foundation
import Glibc
import TestSupport
import Testing
import TuttiCore
import TuttiHost
import TuttiOutput

/// Rooms on some channels each of one card.
@Suite(.repeatedWhenDisturbed) struct SharedCardTests {
    private static let card = "rate=48000&bits=16&channels=4&period=480&buffer=1920"

    /// A card with four channels, of which two rooms have two each, and the path of what it records.
    private func withRooms(
        _ body: (_ time: ManualTime, _ path: String, _ front: CardPart, _ back: CardPart) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            let (time, path) = (ManualTime(), directory + "/card.wav")
            let shared = SharedCard(try makeCard("file:\(path)?\(Self.card)", time: time))
            let front = try CardPart(try range("card#1-2"), of: shared, name: "card#1-2")
            let back = try CardPart(try range("card#3-4"), of: shared, name: "card#3-4")
            try body(time, path, front, back)
            front.close()
            back.close()
        }
    }

    private func range(_ name: String) throws -> ChannelRange { try #require(try ChannelRange(parsing: name)) }

    /// The frames that a card of four 16-bit channels has recorded, as one number for each pair of channels.
    private func frames(of path: String) throws -> [(UInt32, UInt32)] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)).dropFirst(WAVHeader.growingByteCount))
        return stride(from: 0, to: bytes.count / 8 * 8, by: 8).map { offset in
            let words = bytes[offset..<offset + 8].map(UInt32.init)
            return (
                words[0] | words[1] << 8 | words[2] << 16 | words[3] << 24,
                words[4] | words[5] << 8 | words[6] << 16 | words[7] << 24
            )
        }
    }

    /// Writes `count` frames that say which frames of the room's run they are, as stereo of 16 bits.
    private func writeNumbers(_ room: CardPart, count: Int = 480) throws -> Int {
        let timing = try #require(room.timing())
        let first = UInt32(timing.playedFrames + timing.queuedFrames)
        let numbers = (0..<UInt32(count)).map { first + $0 }
        return numbers.withUnsafeBytes { room.write($0, frames: count) }
    }

    @Test func eachRoomPlaysOnItsChannels() throws {
        try withRooms { time, path, front, back in
            try front.start()
            try back.start()
            #expect(front.actual.channelCount == 2 && back.actual.name == "card#3-4")
            #expect(front.timing()?.playedFrames == 0 && front.timing()?.queuedFrames == 1_920)
            for _ in 0..<100 {
                #expect(front.wait(timeoutNanoseconds: 1_000_000_000) == .writable)
                #expect(back.wait(timeoutNanoseconds: 0) == .writable)
                #expect(try writeNumbers(front) == 480)
                #expect(try writeNumbers(back) == 480)
            }
            // A second of 48 000 frames, less what the card held at first.
            let recorded = try frames(of: path)
            #expect(recorded.count == 1_920 + 48_000)
            for (number, frame) in recorded.enumerated().dropFirst(1_920) {
                #expect(frame == (UInt32(number), UInt32(number)))
            }
            #expect(recorded.prefix(1_920).allSatisfy { $0 == (0, 0) })
        }
    }

    @Test func roomsComeAndGoWhileOthersPlay() throws {
        try withRooms { time, path, front, back in
            try front.start()
            for period in 0..<60 {
                #expect(front.wait(timeoutNanoseconds: 1_000_000_000) == .writable)
                #expect(try writeNumbers(front) == 480)
                if period == 19 { try back.start() }
                if (20..<40).contains(period) {
                    // What is ahead of a room that begins is silence, as on a card of its own.
                    if back.wait(timeoutNanoseconds: 0) == .writable { #expect(try writeNumbers(back) == 480) }
                }
                if period == 40 { back.close() }
            }
            let recorded = try frames(of: path)
            #expect(recorded.count == 1_920 + 60 * 480)
            for (number, frame) in recorded.enumerated().dropFirst(1_920) { #expect(frame.0 == UInt32(number)) }
            let sounding = recorded.enumerated().filter { $0.element.1 != 0 }
            let first = try #require(sounding.first?.offset)
            #expect(sounding.count == 20 * 480)
            // Frame for frame behind its first, which its run counts as number 1 920.
            #expect(sounding.allSatisfy { Int($0.element.1) == 1_920 + $0.offset - first })
        }
    }

    @Test func aLateRoomHarmsNobodyElse() throws {
        try withRooms { time, path, front, back in
            try front.start()
            try back.start()
            for period in 0..<50 {
                #expect(front.wait(timeoutNanoseconds: 1_000_000_000) == .writable)
                #expect(try writeNumbers(front) == 480)
                guard !(10..<20).contains(period) else { continue }
                let outcome = back.wait(timeoutNanoseconds: 0)
                if period == 20 {
                    #expect(outcome == .xrun && back.timing() == nil)
                    try back.recover(silence: 480)
                    #expect(front.timing()?.generation == 1 && back.timing()?.generation == 2)
                }
                if back.wait(timeoutNanoseconds: 0) == .writable { #expect(try writeNumbers(back) == 480) }
            }
            let recorded = try frames(of: path)
            for (number, frame) in recorded.enumerated().dropFirst(1_920) { #expect(frame.0 == UInt32(number)) }
            #expect(recorded.filter { $0.1 != 0 }.count > 25 * 480)
        }
    }

    @Test func aCardThatRanDryIsStartedOnce() throws {
        try withRooms { time, path, front, back in
            try front.start()
            try back.start()
            time.pass(nanoseconds: 100_000_000)
            #expect(front.wait(timeoutNanoseconds: 0) == .xrun && back.wait(timeoutNanoseconds: 0) == .xrun)
            try front.recover(silence: 960)
            // The card is in its second run; this part is not in it yet.
            #expect(back.timing() == nil && back.wait(timeoutNanoseconds: 0) == .xrun)
            try back.recover(silence: 960)
            // Who has started it plays after the silence; who comes into it, after a buffer full.
            #expect(front.timing()?.generation == 2 && front.timing()?.writableFrames == 960)
            #expect(back.timing()?.generation == 2 && back.timing()?.writableFrames == 0)
            #expect(try writeNumbers(front) == 480)
            #expect(front.timing()?.writableFrames == 480)
        }
    }

    @Test func whoWaitsForOthersEndsInTime() throws {
        try withRooms { time, path, front, back in
            try front.start()
            try back.start()
            #expect(front.wait(timeoutNanoseconds: 20_000_000) == .writable)
            #expect(try writeNumbers(front) == 480)
            let began = time.now()
            #expect(front.wait(timeoutNanoseconds: 3_000_000) == .timeout)
            #expect(time.now() - began == 3_000_000)
            // Nobody writes for the other one: what there is goes out before the card is dry.
            #expect(front.wait(timeoutNanoseconds: 1_000_000_000) == .writable)
            #expect(try writeNumbers(front) == 480)
            #expect(front.wait(timeoutNanoseconds: 1_000_000_000) == .writable)
            #expect(front.timing()?.generation == 1)
        }
    }

    @Test func whatCannotBeSharedIsSaid() throws {
        let shared = SharedCard(try makeCard("null?\(Self.card)", time: ManualTime()))
        let front = try CardPart(try range("card#1-2"), of: shared, name: "card#1-2")
        #expect(throws: OutputError.cannotOpen(device: "card#2-3", code: EBUSY)) {
            try CardPart(try range("card#2-3"), of: shared, name: "card#2-3")
        }
        #expect(throws: OutputError.invalidDevice(device: "card#5-6", reason: "the card has 4 channels")) {
            try CardPart(try range("card#5-6"), of: shared, name: "card#5-6")
        }
        front.close()
        let other = try CardPart(try range("card#2"), of: shared, name: "card#2")
        #expect(other.actual.channelCount == 1)
        other.close()
    }

    @Test func theProcessHasACardOnce() throws {
        let name = "null?\(Self.card)"
        func open(_ channels: String) throws -> any OutputDevice {
            try OutputDevices.open(OutputRequest(device: name + channels), clock: HostClock())
        }
        let first = try open("#1-2")
        let second = try open("#3-4")
        #expect(throws: OutputError.cannotOpen(device: name + "#4", code: EBUSY)) { try open("#4") }
        second.close()
        second.close()
        let third = try open("#4")
        for device in [first, third] { device.close() }
        // Closed with its last room, and opened again.
        let again = try open("#1-4")
        try again.start()
        #expect(again.timing()?.generation == 1)
        again.close()
    }

    @Test(arguments: [
        ("hw:1,0#3-4", "hw:1,0", 2..<4), ("hw:CARD=Multi,DEV=0#8", "hw:CARD=Multi,DEV=0", 7..<8),
        ("null#1-32", "null", 0..<32),
    ])
    func namesOfChannels(name: String, card: String, indices: Range<Int>) throws {
        let range = try range(name)
        #expect(range.card == card && range.indices == indices)
    }

    @Test(arguments: ["hw:1#0", "hw:1#4-3", "hw:1#1-2-3", "hw:1#33", "hw:1#99999999999999999999", "#1-2"])
    func channelsThatNoCardHas(name: String) {
        #expect(throws: OutputError.self) { try ChannelRange(parsing: name) }
        #expect(!OutputDevices.isDefined(name))
    }

    @Test(arguments: ["hw:1,0", "file:take #2.wav", "hw:1#a", "hw:1#", "hw:1#1-"])
    func namesWithoutChannels(name: String) throws {
        #expect(try ChannelRange(parsing: name) == nil)
    }

    @Test(arguments: [
        ("hw:1#1-2", "hw:1#3-4", false), ("hw:1#1-2", "hw:1#2", true), ("hw:1#1-2", "hw:2#1-2", false),
        ("hw:1", "hw:1#3-4", true), ("null", "null", false), ("hw:1", "hw:2", false),
    ])
    func roomsThatWantTheSame(first: String, second: String, collide: Bool) {
        #expect(ChannelRange.collide(first, second) == collide)
    }
}
