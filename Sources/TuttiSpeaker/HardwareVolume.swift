package import Logging
package import NIOCore
package import TuttiCore
package import TuttiOutput
package import TuttiWire

/// How loud the speaker is, by its card's mixer: samples stay as they are, but for silence, which not every mixer has.
///
/// Not `Sendable`: confined to the controller's event loop.
package final class HardwareVolume {
    /// From one step of a way to another volume to the next, ms.
    private static let step = 50.0
    /// Nanoseconds from one attempt to open a mixer that is gone to the next.
    private static let retryInterval: Int64 = 1_000_000_000

    private let open: () throws(OutputError) -> any MixerElement
    private let eventLoop: any EventLoop
    private let logger: Logger
    /// Nil while the card is gone.
    private var element: (any MixerElement)?
    private var triedAt: HostTime?
    /// What was asked for last.
    private var wanted = VolumeCommand(percent: 0)
    /// The factor that the mixer is at by now.
    private var reached = 0.0
    private var way: Scheduled<Void>?

    /// Opens the mixer.
    ///
    /// - Parameter open: opens its element.
    /// - Throws: what `open` does, unless the card is not there: it may be plugged in later.
    package init(
        eventLoop: any EventLoop, logger: Logger, open: @escaping () throws(OutputError) -> any MixerElement
    ) throws(OutputError) {
        (self.open, self.eventLoop, self.logger) = (open, eventLoop, logger)
        do {
            element = try open()
        } catch {
            guard error.isMissing else { throw error }
            logger.warning("the mixer is missing; trying again every second", metadata: ["reason": "\(error)"])
        }
    }

    /// What samples are to be multiplied by beside the mixer: 0 for silence that the mixer cannot make, otherwise 1.
    package func gain(at loudness: VolumeCommand) -> Float {
        let isOff = loudness.isMuted && element?.hasSwitch != true
        return isOff || loudness.percent <= 0 ? 0 : 1
    }

    /// Sets how loud the card is, within the milliseconds that the command has for that.
    package func set(_ loudness: VolumeCommand) {
        way?.cancel()
        way = nil
        wanted = loudness
        let steps = (loudness.rampMs / Self.step).rounded(.down)
        steps < 2 ? reach(1, steps: 1) : reach(1, steps: Int(min(steps, 1_000)))
    }

    /// What somebody else has set the mixer to; nil if nobody has.
    package func look(now: HostTime) -> VolumeCommand? {
        guard let element else {
            retry(now: now)
            return nil
        }
        do {
            guard let level = try element.change(), way == nil else { return nil }
            reached = level.amplitude
            // To whole percents, as people set them.
            let percent = VolumeCommand.percent(ofAmplitude: level.amplitude).rounded()
            wanted = VolumeCommand(percent: percent, isMuted: element.hasSwitch ? level.isOff : wanted.isMuted)
            return wanted
        } catch {
            lose(error)
            return nil
        }
    }

    /// Goes step `number` of `steps` from where the mixer is to what is wanted, and those after it by and by.
    private func reach(_ number: Int, steps: Int) {
        let target = VolumeCommand(percent: wanted.percent).amplitude
        reached += (target - reached) / Double(steps - number + 1)
        apply()
        guard number < steps else {
            way = nil
            return
        }
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        way = eventLoop.scheduleTask(in: .milliseconds(Int64(Self.step))) { box.value.reach(number + 1, steps: steps) }
    }

    private func apply() {
        do {
            try element?.set(MixerLevel(amplitude: reached, isOff: wanted.isMuted))
        } catch {
            lose(error)
        }
    }

    private func lose(_ error: OutputError) {
        logger.warning("the mixer is gone; trying again every second", metadata: ["reason": "\(error)"])
        element = nil
    }

    private func retry(now: HostTime) {
        if let triedAt, now.nanoseconds(since: triedAt) < Self.retryInterval { return }
        triedAt = now
        guard let element = try? open() else { return }
        self.element = element
        logger.info("the mixer is back")
        if way == nil { apply() }
    }
}
