import TuttiCore
import TuttiRooms
package import TuttiSchema
package import TuttiSender
import TuttiStore

/// What controllers ask for.
extension House: ControlTarget {
    package nonisolated var isService: Bool { true }

    package func answer(_ request: ControlRequest) async -> ControlAnswer {
        var answer: ControlAnswer
        do throws(SenderError) {
            answer = try await carryOut(request)
        } catch {
            answer = ControlAnswer(error)
        }
        answer.response.service = true
        if request.word == .status, request.target == .usual, !stopped.isEmpty {
            answer.response.stopped = stoppedStatuses
        }
        if answer.response.ok { tellWatchers(of: request, answer.response) }
        return answer
    }

    private func carryOut(_ request: ControlRequest) async throws(SenderError) -> ControlAnswer {
        if case .player(.name(let name, let room)) = request.command { return try await rename(room, to: name) }
        let request = try named(request)
        if let answer = try await editStopped(request) { return answer }
        if let answer = try await level(request) { return answer }
        switch request.command {
        case .play(let asked, let name, let detaches):
            let (order, notice) = await resumed(asked)
            let plan = try await plan(order)
            let started = try await inTurn { () async throws(SenderError) in
                try await self.play(order, plan, as: name)
            }
            var answer = try await begun(started, detaches)
            if let notice {
                answer.response.notices = ["\(notice); `--from-start` plays it from its beginning"]
                watchers.tell(ControlEvent(.notice(notice), group: started.name))
            }
            return answer
        case .say(let order, let detaches): return try await begun(try await say(order), detaches)
        case .status: return try await status(request)
        case .watch where request.target == .all: return await watchAll()
        case .levels(let room): return ControlAnswer(try await levels(room, ofGroup: request.group))
        case .group(let command):
            return ControlAnswer(
                try await inTurn { () async throws(SenderError) in try await self.editGroup(command) })
        case .station(let command):
            var response = ControlResponse()
            response.stations = try StationEdit.carryOut(command, in: store)
            return ControlAnswer(response)
        case .library(let command): return ControlAnswer(try await answer(command, request))
        case .playlist(let command): return ControlAnswer(try await answer(command, request))
        case .at(let when, let order, let name): return ControlAnswer(try await schedule(order, when, as: name))
        case .schedules: return ControlAnswer(listed())
        case .effects(let room, let edit): return try await effects(edit, of: room)
        case .effectsFile(let room, let path): return try await effects(ofFile: path, in: room)
        case .stereo(let left, let right, let isPair): return try await stereo(left, right, isPair)
        case .cancel(let numbers): return ControlAnswer(try cancel(numbers))
        case .sleep(let seconds): return ControlAnswer(try await sleep(seconds, request))
        case .player where request.word.isForAll: return try await steer(request)
        case .player, .queue, .watch: return try await pass(request)
        }
    }

    /// The same with what inputs are called by resolved, where they are played or queued now.
    private func named(_ request: ControlRequest) throws(SenderError) -> ControlRequest {
        var request = request
        let names = NamedInputs(store: store, library: library, live: configuration.inputs)
        switch request.command {
        case .player(let command):
            request.command = .player(try command.mapInputs { inputs throws(SenderError) in try names.resolve(inputs) })
        case .play(var order, let name, let detach):
            order.inputs = try names.resolve(order.inputs)
            request.command = .play(order, name: name, detach: detach)
        case .say(var order, let detach):
            order.inputs = try names.resolve(order.inputs)
            request.command = .say(order, detach: detach)
        default: break
        }
        return request
    }

    /// Does to one group, or to all, what can be done to all.
    private func steer(_ request: ControlRequest) async throws(SenderError) -> ControlAnswer {
        guard request.target == .all else { return try await steerOne(request) }
        guard !playing.isEmpty else { throw nothingPlays }
        var first: ControlAnswer?
        var statuses: [PlayerStatus] = []
        for name in names.values.sorted() {
            var one = request
            one.target = .group(name)
            let answer = try await steerOne(one)
            first = first ?? answer
            if let status = answer.response.status { statuses.append(status) }
        }
        first?.response.playing = statuses
        // What is printed is about all of them.
        first?.response.status?.rooms = statuses.flatMap(\.rooms)
        return first ?? ControlAnswer(ControlResponse())
    }

    private func steerOne(_ request: ControlRequest) async throws(SenderError) -> ControlAnswer {
        switch request.word {
        case .stop:
            let key = try await key(for: request)
            var status = await playing[key]?.player.status()
            status?.state = .ended
            status?.group = names[key]
            try await inTurn { () async throws(SenderError) in await self.end(key) }
            return ControlAnswer(ControlResponse(status: status))
        case .resume: return try await resume(request)
        case .toggle where playing.isEmpty: return try await resume(request)
        default: return try await pass(request)
        }
    }

    /// Gives a request to the player that it is meant for.
    func pass(_ request: ControlRequest) async throws(SenderError) -> ControlAnswer {
        let key = try await key(for: request)
        guard let player = playing[key]?.player else { throw nothingPlays }
        let name = names[key] ?? key
        if request.word == .volume || request.word == .mute { settleFades(of: request.room, in: key) }
        var answer = await PlayerControl(player).answer(request)
        answer.response.status?.group = name
        if let room = request.room {
            answer.response.room = answer.response.status?.rooms.first { Names.areSame($0.name, room) }?.name
        }
        if answer.events != nil { answer.events = await player.events().labelled(name) }
        return answer
    }

    /// Answers for what has been started: at once, with its events, or once it plays.
    private func begun(_ started: Started, _ detaches: Bool) async throws(SenderError) -> ControlAnswer {
        let name = started.name.isEmpty ? nil : started.name
        guard detaches else {
            let response = ControlResponse(status: await started.player.status().labelled(name))
            return ControlAnswer(response, events: started.events.labelled(name))
        }
        if let outcome = await started.player.started(), outcome.exitCode != 0 {
            throw outcome.error ?? .refused(outcome.message ?? "playback failed", exitCode: outcome.exitCode)
        }
        return ControlAnswer(ControlResponse(status: await started.player.status().labelled(name)))
    }

    /// How one group stands, or all of them.
    private func status(_ request: ControlRequest) async throws(SenderError) -> ControlAnswer {
        if let wanted = request.group.map(Names.fold), playing[wanted] == nil, stopped[wanted] != nil {
            return try await edit(wanted, request)
        }
        if playing.isEmpty { throw nothingPlays }
        let wanted = request.group.map(Names.fold)
        if let wanted, let name = request.group, playing[wanted] == nil {
            throw .notPlaying(name, playing: playing.keys.sorted().map { names[$0] ?? $0 })
        }
        var statuses: [PlayerStatus] = []
        for (key, group) in playing.sorted(by: { $0.key < $1.key }) where wanted.map({ $0 == key }) ?? true {
            var status = await group.player.status().labelled(names[key] ?? key)
            status.sleep = secondsToSleep(of: key)
            statuses.append(status)
        }
        var response = ControlResponse()
        response.playing = statuses
        let problems = alarmProblems
        if !problems.isEmpty { response.notices = problems }
        if statuses.count == 1 { response.status = statuses[0] }
        if !store.damage.isEmpty { response.notices = (response.notices ?? []) + store.damage }
        return ControlAnswer(response)
    }

    /// The group that a request means: the one that it names, the only one, or the one that has the room.
    func key(for request: ControlRequest) async throws(SenderError) -> String {
        let playing = names.values.sorted()
        if let name = request.group {
            let key = Names.fold(name)
            guard self.playing[key] != nil else {
                throw playing.isEmpty ? nothingPlays : .notPlaying(name, playing: playing)
            }
            return key
        }
        if let only = self.playing.keys.first, self.playing.count == 1 { return only }
        if let room = request.room, let key = await key(ofRoom: room) { return key }
        if playing.isEmpty { throw nothingPlays }
        guard request.word.isForAll else { throw .severalPlaying(playing) }
        let list = playing.joined(separator: ", ")
        throw .refused("several groups play: \(list); name one with --group, or use --all", exitCode: 2)
    }
}
