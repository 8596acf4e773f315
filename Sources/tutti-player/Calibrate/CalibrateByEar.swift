import ArgumentParser
import Synchronization
import TuttiCalibration
import TuttiCommandLine
import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiSender

/// Clicks in two rooms at once, until the user hears one click.
struct CalibrateByEar {
    let rooms: CalibrateRooms
    let isDryRun: Bool
    let isJSON: Bool

    private struct Answer: Encodable {
        let room: String
        let reference: String
        let outputDelayMs: Double
        let previousOutputDelayMs: Double
        let stored: Bool
    }

    /// Seconds of clicks in the file, and how often it is played: half an hour altogether.
    private static let seconds = 60
    private static let repeats = 30

    /// - Throws: `ValidationError` unless there are two rooms.
    init(rooms: CalibrateRooms, isDryRun: Bool, isJSON: Bool) throws(ValidationError) {
        guard rooms.addresses.count == 2 else {
            throw ValidationError("--by-ear compares two rooms: tutti calibrate kitchen --against bath --by-ear")
        }
        (self.rooms, self.isDryRun, self.isJSON) = (rooms, isDryRun, isJSON)
    }

    /// The room whose delay is looked for.
    private var subject: Int { rooms.reference == 0 ? 1 : 0 }

    func run() async throws {
        let programme = try await CalibratePlayer(
            samples: ClickTrack.samples(seconds: Self.seconds), repeats: Self.repeats, rooms: rooms.addresses)
        let player = programme.player
        async let playing = programme.run(view: CalibrateView())
        let result = Mutex<(before: OutputDelay, after: OutputDelay, isAccepted: Bool)?>(nil)
        do {
            if let before = try await delayOnceItPlays(player) {
                result.withLock { $0 = (before, before, false) }
                let after = try await adjust(player, from: before)
                result.withLock { $0 = (before, after ?? before, after != nil && !isDryRun) }
            }
        } catch {
            await player.stop()
            _ = await playing
            throw error
        }
        let isOver = await player.status().state == .ended
        if let result = result.withLock({ $0 }), !result.isAccepted, !isOver { try? await set(result.before, player) }
        await player.stop()
        let outcome = await playing
        guard let result = result.withLock({ $0 }) else {
            throw Failure(
                outcome.message ?? "playback was stopped", exitCode: outcome.exitCode == 0 ? 1 : outcome.exitCode)
        }
        if isOver, !result.isAccepted {
            _ = try await DelayOfRoom.change(rooms.addresses[subject]) { _ in result.before }
        }
        tell(result.before, result.after, isStored: result.isAccepted)
    }

    /// Waits for the clicks; nil when it comes to an end before.
    private func delayOnceItPlays(_ player: Player) async throws -> OutputDelay? {
        while true {
            let status = await player.status()
            if status.state == .ended { return nil }
            if status.state == .playing, let delay = room(of: status)?.outputDelayMs {
                return OutputDelay(milliseconds: delay)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func room(of status: PlayerStatus) -> RoomStatus? {
        DelayOfRoom.find(rooms.addresses[subject], in: status)
    }

    /// Does what is asked for until it is right; nil when it is to be as it was.
    private func adjust(_ player: Player, from before: OutputDelay) async throws -> OutputDelay? {
        let keys = CalibrateKeys()
        defer { keys.close() }
        var delay = before
        show(delay, isFirst: true, keys)
        for await commands in keys.commands {
            var change = 0
            for command in commands {
                switch command {
                case .change(let tenths): change += tenths
                case .accept:
                    if change != 0 { try await set(delay.adding(tenths: change), player) }
                    return delay.adding(tenths: change)
                case .quit: return nil
                }
            }
            guard await player.status().state != .ended else { return nil }
            if change != 0 {
                delay = delay.adding(tenths: change)
                try await set(delay, player)
                show(delay, isFirst: false, keys)
            }
        }
        return nil
    }

    private func set(_ delay: OutputDelay, _ player: Player) async throws {
        guard let name = room(of: await player.status())?.name else { return }
        try await player.setOutputDelay(delay.milliseconds, room: name)
        // A speaker corrects a small error over seconds. Restarting the timebase corrects it at once, and between
        // clicks this is inaudible.
        try? await player.seek(.by(.zero))
    }

    private func show(_ delay: OutputDelay, isFirst: Bool, _ keys: CalibrateKeys) {
        let name = rooms.name(subject)
        guard keys.isTerminal else {
            if !isJSON { Terminal.write("\(delay.effect(on: name))\n") }
            return
        }
        if isFirst {
            Terminal.writeError(
                """
                \(name) and \(rooms.name(rooms.reference)) click once a second. \
                If \(name) is late, press →; if it is early, press ←.
                ← → 1 ms   ↑ ↓ 10 ms   , . 0.1 ms   Enter saves   q restores the old delay

                """)
        }
        Terminal.writeError("\r\(delay.effect(on: name))\u{1B}[K")
    }

    private func tell(_ before: OutputDelay, _ after: OutputDelay, isStored: Bool) {
        let name = rooms.name(subject)
        if isJSON {
            let answer = Answer(
                room: name, reference: rooms.name(rooms.reference), outputDelayMs: after.milliseconds,
                previousOutputDelayMs: before.milliseconds, stored: isStored)
            Terminal.write(json: answer)
        } else if isStored {
            Terminal.write("\(after.effect(on: name))\n")
        } else {
            Terminal.write("nothing saved: the output delay of \(name) is still \(before)\n")
        }
    }
}
