import Foundation
import Testing
import TuttiCore
import TuttiWire

/// An announcement over bare connections, which can break off at any time.
final class HandMadeOverlay {
    private var control: TestConnection?
    private var media: TestConnection?
    private let clock: KnownClock
    private let arrived = ContinuousClock.now

    private static let packetFrames = 4_800

    /// Connects and sends all of `words`.
    init(port: UInt16, _ words: KnownSound) throws {
        let control = try #require(TestConnection(port: port))
        let welcome = try #require(control.greet(sender: "hand", stream: 5, policy: .default))
        clock = try #require(welcome.clock, "the room has a clock")
        let media = try #require(TestConnection(port: port))
        media.send(.hello(Hello(role: .media, senderID: "hand", senderName: "hand", session: welcome.session)))
        let format = try #require(AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        control.send(.format(id: 1, format))
        control.send(.timebase(TimebaseCommand(rate: 0, media: .zero, group: now)))
        let hasCredit = control.receive(where: {
            if case .credit(let credit) = $0 { credit.bytes > 1 << 20 } else { false }
        })
        try #require(hasCredit != nil)
        let bytes = words.bytes
        for start in stride(from: 0, to: words.integers.count, by: Self.packetFrames) {
            let frames = min(Self.packetFrames, words.integers.count - start)
            let packet = MediaPacket(
                streamID: 5, generation: 0, formatID: 1,
                presentation: MediaTime(frame: Int64(start), sampleRate: 48_000),
                frameCount: UInt32(frames), payload: [UInt8](bytes[4 * start..<4 * (start + frames)]))
            media.send(packet.encodedFrame())
        }
        (self.control, self.media) = (control, media)
    }

    /// Group time now, as well as the welcome told it.
    private var now: GroupTime {
        let elapsed = ContinuousClock.now - arrived
        let nanoseconds = elapsed.components.seconds * 1_000_000_000 + elapsed.components.attoseconds / 1_000_000_000
        return GroupTime(nanoseconds: clock.time + nanoseconds, timescale: clock.timescale)
    }

    /// Begins, and waits until the room says that it is heard.
    func begin(afterMilliseconds delay: Int64) throws {
        let group = now.advanced(byNanoseconds: delay * 1_000_000)
        control?.send(.timebase(TimebaseCommand(rate: 1, media: .zero, group: group)))
        let isHeard = control?.receive(where: {
            if case .status(let status) = $0 { status.isAnnouncing } else { false }
        })
        try #require(isHeard != nil)
    }

    /// Is gone without a word.
    func die() { (control, media) = (nil, nil) }
}
