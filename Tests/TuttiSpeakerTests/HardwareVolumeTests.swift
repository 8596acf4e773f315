import Logging
import NIOCore
import NIOPosix
import Testing
import TuttiCore
import TuttiOutput
import TuttiSpeaker
import TuttiWire

/// How loud a speaker is by its card's mixer.
@Suite struct HardwareVolumeTests {
    /// A mixer's element of 1 dB steps, and what became of it.
    private final class Element: MixerElement {
        var hasSwitch = true
        var levels: [MixerLevel] = []
        var changed: MixerLevel?
        var isGone = false

        private static let lost = OutputError.lost(device: "card", code: 19)

        func set(_ level: MixerLevel) throws(OutputError) {
            if isGone { throw Self.lost }
            levels.append(level)
        }

        func change() throws(OutputError) -> MixerLevel? {
            if isGone { throw Self.lost }
            defer { changed = nil }
            return changed
        }
    }

    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    /// Does it on an event loop, which a volume is confined to.
    private func onLoop(_ body: @escaping @Sendable (any EventLoop) throws -> Void) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        try await loop.submit { try body(loop) }.get()
    }

    @Test("a volume is the mixer's, and samples stay as they are; silence and a mute without a switch are theirs")
    func volumes() async throws {
        try await onLoop { loop in
            let element = Element()
            let volume = try HardwareVolume(eventLoop: loop, logger: quiet) { () throws(OutputError) in element }
            volume.set(VolumeCommand(percent: 100))
            volume.set(VolumeCommand(percent: 25, isMuted: true))
            #expect(element.levels == [MixerLevel(amplitude: 1), MixerLevel(amplitude: 0.125, isOff: true)])
            #expect(volume.gain(at: VolumeCommand(percent: 25, isMuted: true)) == 1)
            #expect(volume.gain(at: VolumeCommand(percent: 0)) == 0)
            element.hasSwitch = false
            #expect(volume.gain(at: VolumeCommand(percent: 25, isMuted: true)) == 0)
            #expect(volume.gain(at: VolumeCommand(percent: 25)) == 1)
        }
    }

    @Test("what somebody else sets is the volume then, in whole percents")
    func changes() async throws {
        try await onLoop { loop in
            let element = Element()
            let volume = try HardwareVolume(eventLoop: loop, logger: quiet) { () throws(OutputError) in element }
            volume.set(VolumeCommand(percent: 100))
            #expect(volume.look(now: self.at(0)) == nil)
            element.changed = MixerLevel(amplitude: 0.36, isOff: true)
            #expect(volume.look(now: self.at(100)) == VolumeCommand(percent: 51, isMuted: true))
            #expect(volume.look(now: self.at(200)) == nil)
            #expect(element.levels.count == 1, "nothing is set for that")
        }
    }

    @Test("a mixer that goes away is looked for every second, and told what is wanted by then")
    func gone() async throws {
        try await onLoop { loop in
            let (first, second) = (Element(), Element())
            var opened = 0
            let volume = try HardwareVolume(eventLoop: loop, logger: quiet) { () throws(OutputError) in
                opened += 1
                if opened == 2 { throw .cannotOpen(device: "card", code: 19) }
                return opened == 1 ? first : second
            }
            first.isGone = true
            #expect(volume.look(now: self.at(0)) == nil)
            volume.set(VolumeCommand(percent: 100))
            for time in [100, 500, 1_099] as [Int64] { #expect(volume.look(now: self.at(time)) == nil) }
            #expect(opened == 2)
            #expect(volume.look(now: self.at(1_100)) == nil)
            #expect(opened == 3)
            #expect(second.levels == [MixerLevel(amplitude: 1)])
        }
    }

    @Test("an element that is not there is an error at the start; a card that is not there is waited for")
    func start() async throws {
        try await onLoop { loop in
            let none = OutputError.noMixerElement("Loud", card: "card", others: [])
            #expect(throws: none) {
                try HardwareVolume(eventLoop: loop, logger: quiet) { () throws(OutputError) in throw none }
            }
            let missing = OutputError.cannotOpen(device: "card", code: 19)
            _ = try HardwareVolume(eventLoop: loop, logger: quiet) { () throws(OutputError) in throw missing }
        }
    }
}
