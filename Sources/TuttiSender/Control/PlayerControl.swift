import TuttiControl
import TuttiCore

/// What controllers ask of one player.
package struct PlayerControl: ControlTarget {
    let player: Player

    /// For `player`.
    package init(_ player: Player) { self.player = player }

    package func answer(_ request: ControlRequest) async -> ControlAnswer {
        if request.command == .stop {
            // The socket goes with the player, which is quick: the answer must have gone before.
            var status = await player.status()
            status.state = .ended
            return ControlAnswer(ControlResponse(status: status)) { await player.stop() }
        }
        do throws(SenderError) {
            try await carryOut(request)
        } catch {
            return ControlAnswer(error)
        }
        var response = ControlResponse(status: await player.status())
        if request.command == .queue { response.queue = await player.listing() }
        guard request.command == .watch else { return ControlAnswer(response) }
        return ControlAnswer(response, events: await player.events().labelled(nil))
    }

    private func carryOut(_ request: ControlRequest) async throws(SenderError) {
        switch request.command {
        case .status, .queue, .watch, .stop: break
        case .pause: try await player.pause()
        case .resume: try await player.resume()
        case .toggle: try await player.toggle()
        case .next: try await player.next()
        case .previous: try await player.previous()
        case .seek:
            guard let target = request.position.flatMap(SeekTarget.init(parsing:)) else {
                throw .badOption("a place is T, +T or -T, in seconds or M:SS")
            }
            if case .to(let place) = target, let length = await player.status().item?.duration, place.seconds > length {
                let whole = StatusTime.text(length)
                throw .refused("the track is \(whole) long; `tutti next` goes to the next one", exitCode: 2)
            }
            try await player.seek(target)
        case .volume:
            // Whoever says no volume asks for it.
            guard let text = request.volume else { break }
            guard let change = VolumeChange(parsing: text) else {
                throw .badOption("a volume is N, +N or -N, of 0 to 100")
            }
            // Who says how loud a room is to be wants to hear it; a step of all rooms leaves the silent ones silent.
            var unmutes = request.room != nil
            if case .to = change { unmutes = true }
            try await player.setVolume(change, room: request.room, unmutes: unmutes)
        case .mute: try await player.setMuted(request.muted ?? true, room: request.room)
        case .rate:
            guard let rate = request.rate else { throw .badOption("a rate is from 0.5 to 2") }
            try await player.setRate(rate)
        case .delay:
            guard let room = request.room, let milliseconds = request.outputDelayMs else {
                throw .badOption("an output delay is of a room and in milliseconds")
            }
            try await player.setOutputDelay(milliseconds, room: room)
        case .crossfade:
            guard let seconds = request.seconds else { throw .badOption("a crossfade is from 0 to 12 s") }
            try await player.setCrossfade(seconds)
        case .reference: try await player.setReference(request.room)
        case .add, .insert, .remove, .move, .replace, .clear, .jump, .shuffle, .repeat, .consume:
            try await editQueue(request)
        case .play, .say, .at, .schedules, .cancel, .sleep, .group:
            throw .notNow("this is for the service; start it with `tutti serve`")
        }
    }
}

extension AsyncStream<PlayerEvent> {
    /// The events with the group that they are about.
    package func labelled(_ group: String?) -> AsyncStream<ControlEvent> {
        let (stream, continuation) = AsyncStream<ControlEvent>.makeStream(bufferingPolicy: .bufferingNewest(256))
        let pump = Task {
            for await event in self {
                var event = event
                if case .progress(var status) = event {
                    status.group = group
                    event = .progress(status)
                }
                continuation.yield(ControlEvent(event, group: group))
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in pump.cancel() }
        return stream
    }
}
