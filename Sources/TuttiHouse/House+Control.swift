package import TuttiSender

/// What controllers ask for.
extension House: ControlTarget {
    package func answer(_ request: ControlRequest) async -> ControlAnswer {
        var answer: ControlAnswer
        do throws(SenderError) {
            answer = try await carryOut(request)
        } catch {
            answer = ControlAnswer(error)
        }
        answer.response.service = true
        return answer
    }

    private func carryOut(_ request: ControlRequest) async throws(SenderError) -> ControlAnswer {
        switch request.command {
        case .play, .say: return try await begin(request)
        case .status: return try await status(request)
        case .group:
            var response = ControlResponse()
            response.groups = try await inTurn { () async throws(SenderError) in try await self.editGroup(request) }
            return ControlAnswer(response)
        case .at, .schedules, .cancel: return ControlAnswer(try schedule(request))
        case .sleep: return ControlAnswer(try await sleep(request))
        case .stop:
            let key = try await key(for: request)
            var status = await playing[key]?.player.status()
            status?.state = .ended
            status?.group = names[key]
            try await inTurn { () async throws(SenderError) in await self.end(key) }
            var response = ControlResponse()
            response.status = status
            return ControlAnswer(response)
        default: return try await pass(request)
        }
    }

    /// Gives a request to the player that it is meant for.
    private func pass(_ request: ControlRequest) async throws(SenderError) -> ControlAnswer {
        let key = try await key(for: request)
        guard let player = playing[key]?.player else { throw .nothingPlaying }
        let name = names[key] ?? key
        if request.command == .volume || request.command == .mute { settleFades(of: request.room, in: key) }
        var answer = await PlayerControl(player).answer(request)
        answer.response.status?.group = name
        if answer.events != nil { answer.events = await player.events().labelled(name) }
        return answer
    }

    private func begin(_ request: ControlRequest) async throws(SenderError) -> ControlAnswer {
        guard let order = request.order else { throw .badOption("say what to play") }
        let started =
            request.command == .say
            ? try await say(order)
            : try await inTurn { () async throws(SenderError) in try await self.play(order, as: request.group) }
        let name = started.name.isEmpty ? nil : started.name
        guard request.detach == true else {
            let response = ControlResponse(status: await started.player.status().labelled(name))
            return ControlAnswer(response, events: started.events.labelled(name))
        }
        if let outcome = await started.player.started(), outcome.exitCode != 0 {
            throw outcome.error ?? .refused(outcome.message ?? "it failed", exitCode: outcome.exitCode)
        }
        return ControlAnswer(ControlResponse(status: await started.player.status().labelled(name)))
    }

    /// How one group stands, or all of them.
    private func status(_ request: ControlRequest) async throws(SenderError) -> ControlAnswer {
        if playing.isEmpty { throw .nothingPlaying }
        var statuses: [PlayerStatus] = []
        for (key, group) in playing.sorted(by: { $0.key < $1.key }) {
            statuses.append(await group.player.status().labelled(names[key] ?? key))
        }
        if let wanted = request.group {
            guard let status = statuses.first(where: { $0.group?.lowercased() == wanted.lowercased() }) else {
                throw .notPlaying(wanted, playing: statuses.compactMap(\.group))
            }
            statuses = [status]
        }
        var response = ControlResponse()
        response.playing = statuses
        if statuses.count == 1 { response.status = statuses[0] }
        return ControlAnswer(response)
    }

    /// The group that a request means: the one that it names, the only one, or the one that has the room.
    func key(for request: ControlRequest) async throws(SenderError) -> String {
        let playing = names.values.sorted()
        if let name = request.group {
            guard self.playing[name.lowercased()] != nil else {
                throw playing.isEmpty ? .nothingPlaying : .notPlaying(name, playing: playing)
            }
            return name.lowercased()
        }
        if let only = self.playing.keys.first, self.playing.count == 1 { return only }
        if let room = request.room {
            for (key, group) in self.playing {
                let rooms = await group.player.status().rooms
                if rooms.contains(where: { $0.name.lowercased() == room.lowercased() }) { return key }
            }
        }
        throw playing.isEmpty ? .nothingPlaying : .severalPlaying(playing)
    }
}

extension PlayerStatus {
    /// The status with the group's name.
    func labelled(_ group: String?) -> PlayerStatus {
        var status = self
        status.group = group
        return status
    }
}
