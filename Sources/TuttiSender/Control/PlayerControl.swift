import TuttiControl
import TuttiCore
import TuttiRooms
package import TuttiSchema

/// What controllers ask of one player.
package struct PlayerControl: ControlTarget {
    let player: Player

    /// For `player`.
    package init(_ player: Player) { self.player = player }

    package var isService: Bool { false }

    package func answer(_ request: ControlRequest) async -> ControlAnswer {
        do throws(SenderError) {
            return try await carryOut(request)
        } catch {
            return ControlAnswer(error)
        }
    }

    private func carryOut(_ request: ControlRequest) async throws(SenderError) -> ControlAnswer {
        switch request.command {
        case .player(.stop):
            // The socket goes with the player, which is quick: the answer must have gone before.
            var status = await player.status()
            status.state = .ended
            return ControlAnswer(ControlResponse(status: status)) { await player.stop() }
        case .player(let command):
            try await check(command)
            try await player.carryOut(command)
            return ControlAnswer(ControlResponse(status: await player.status()))
        case .status, .levels: return ControlAnswer(ControlResponse(status: await player.status()))
        case .queue:
            var response = ControlResponse(status: await player.status())
            response.queue = await player.listing()
            return ControlAnswer(response)
        case .watch:
            let response = ControlResponse(status: await player.status())
            return ControlAnswer(response, events: await player.events().labelled(nil))
        case .play, .say, .at, .schedules, .cancel, .sleep, .group, .effects, .effectsFile, .stereo, .station, .library,
            .playlist:
            throw .notNow("this command needs the service; start it with `tutti serve`")
        }
    }

    /// Refuses what the player would do, and a person does not mean.
    private func check(_ command: PlayerCommand) async throws(SenderError) {
        guard case .seek(.to(let place)) = command, let length = await player.status().item?.duration,
            place.seconds > length
        else { return }
        let whole = StatusTime.text(length)
        throw .refused("the track is \(whole) long; `tutti next` goes to the next one", exitCode: 2)
    }
}
