import TuttiCore

/// Acknowledged commands are never lost: an answer says what was done, and what was done is there after a start.
///
/// Not compared is what commands without an answer may or may not have changed, and what was asked for while nothing
/// could be written. A programme that is not repeated may have come to its end meanwhile.
package struct AcknowledgedIsKept: Invariant {
    package static let name = "acknowledged"

    /// How long after its start a sender may take to have all its groups as they were, in nanoseconds: it asks the
    /// rooms, too.
    static let settling: Int64 = 3_000_000_000

    /// A sender as it was last seen to run.
    private struct Memory {
        var incarnation: Int
        var states: [String: GroupState]
        var unanswered: GroupState.Parts
        var at: Int64
    }

    /// What a new process has to show of a group.
    private struct Debt {
        var state: GroupState
        var unanswered: GroupState.Parts
        /// When the group was last seen so.
        var at: Int64
    }

    private var memories: [String: Memory] = [:]
    /// Groups that a sender has yet to be seen with after a start, with what they have to be.
    private var awaited: [String: [String: Debt]] = [:]
    /// Levels that rooms have to turn out to have once the new process has heard of them, by sender and group.
    private var awaitedLevels: [String: [String: [GroupState.Level]]] = [:]
    /// How loud rooms were asked to be last, by sender, group and room.
    private var asked: [String: [String: [String: GroupState.Level]]] = [:]
    private var full: Set<String> = []
    /// Senders whose disk was full since their start.
    private var excused: Set<String> = []

    /// The lengths of the songs, in nanoseconds.
    private let lengths: [String: Int64]

    package init(_ scenario: Scenario) {
        lengths = scenario.songLengths
    }

    package mutating func check(_ moment: Moment, calm: Calm) -> [Violation] {
        noteDisks(moment)
        var violations: [Violation] = []
        for (sender, troubles) in zip(moment.observation.senders, calm.senders) {
            violations += answers(of: sender, at: moment.observation.at)
            noteLoudness(sender)
            if let memory = memories[sender.name], memory.incarnation < sender.incarnation {
                expect(sender.name, memory)
            }
            let isSettled = moment.observation.at - troubles.process > Self.settling
            violations += afterStart(sender, isSettled: isSettled, at: moment.observation.at)
            violations += laterLevels(sender, at: moment.observation.at)
            remember(sender, at: moment.observation.at)
        }
        return violations
    }

    private mutating func noteDisks(_ moment: Moment) {
        for step in moment.steps {
            switch step.action {
            case .diskFull(.sender(let name)):
                full.insert(name)
                excused.insert(name)
            case .diskFree(.sender(let name)): full.remove(name)
            default: break
            }
        }
    }

    private func answers(of sender: SenderObservation, at now: Int64) -> [Violation] {
        sender.acknowledgements.compactMap { answer in
            guard answer.refusal == nil, !answer.command.stands(in: answer.state) else { return nil }
            return Self.violation(
                now, .sender(sender.name), "acknowledged '\(answer.command)' for \(answer.group) but did not do it")
        }
    }

    private mutating func noteLoudness(_ sender: SenderObservation) {
        for answer in sender.acknowledgements where answer.refusal == nil {
            switch answer.command {
            case .volume(let room, let percent): ask(room, answer.group, sender.name) { $0.volume = Double(percent) }
            case .mute(let room, let isOn): ask(room, answer.group, sender.name) { $0.isMuted = isOn }
            default: break
            }
        }
    }

    private mutating func ask(
        _ room: String, _ group: String, _ sender: String, _ change: (inout GroupState.Level) -> Void
    ) {
        change(&asked[sender, default: [:]][group, default: [:]][room, default: GroupState.Level(room: room)])
    }

    /// What a room's level has to be. What was asked for last may still have been on its way to the room through a
    /// queue when the sender was last seen, and had an older word of the room's: then it is as right.
    private func owed(
        _ level: GroupState.Level, _ found: GroupState.Level?, of group: String, in sender: String
    ) -> GroupState.Level {
        var level = level
        guard let found, let wanted = asked[sender]?[group]?[level.room] else { return level }
        if let volume = wanted.volume, volume == found.volume { level.volume = volume }
        if let isMuted = wanted.isMuted, isMuted == found.isMuted { level.isMuted = isMuted }
        return level
    }

    /// A new process has all to show that the one before had.
    private mutating func expect(_ sender: String, _ memory: Memory) {
        // One that was killed before it was looked at owes what the one before it had.
        var owed = awaited[sender] ?? [:]
        for (group, state) in memory.states where owed[group] == nil {
            owed[group] = Debt(state: state, unanswered: memory.unanswered, at: memory.at)
        }
        awaited[sender] = excused.contains(sender) ? [:] : owed
        if excused.contains(sender) { awaitedLevels[sender] = nil }
        if !full.contains(sender) { excused.remove(sender) }
    }

    private mutating func afterStart(
        _ sender: SenderObservation, isSettled: Bool, at now: Int64
    ) -> [Violation] {
        var violations: [Violation] = []
        for group in sender.groups where group.isKnown && sender.isRunning {
            // What was asked of the new process before it was looked at may have changed it again.
            let asked = sender.acknowledgements.filter { $0.group == group.name }.map(\.command) + sender.unanswered
            awaited[sender.name]?[group.name]?.unanswered.formUnion(asked.reduce([]) { $0.union($1.parts) })
            guard isSettled, var owed = awaited[sender.name]?.removeValue(forKey: group.name) else { continue }
            owed.state.rooms = owed.state.rooms.map { level in
                self.owed(level, group.state.level(level.room), of: group.name, in: sender.name)
            }
            if hasEnded(group.state, since: owed, at: now) { owed.state.isPlaying = false }
            let ignored = owed.unanswered
            if !ignored.contains(.rooms) {
                let unheard = owed.state.rooms.filter { level in
                    level.volume != nil && group.state.level(level.room).map { $0.volume == nil } ?? false
                }
                awaitedLevels[sender.name, default: [:]][group.name, default: []] += unheard
            }
            guard let difference = group.state.difference(from: owed.state, ignoring: ignored) else { continue }
            violations.append(
                Self.violation(now, .sender(sender.name), "\(group.name) changed without a command: \(difference)"))
        }
        return violations
    }

    /// Whether a group stands at the end of a programme that may have come there since: all that lay behind the song
    /// that played then would have been over.
    private func hasEnded(_ state: GroupState, since debt: Debt, at now: Int64) -> Bool {
        let old = debt.state
        guard old.repeats == .off, old.isPlaying, !state.isPlaying, state.current == state.queue.last?.id,
            let played = old.queue.firstIndex(where: { $0.id == old.current })
        else { return false }
        let left = old.queue.dropFirst(played + 1).reduce(0) { $0 + max(0, (lengths[$1.song] ?? 0) - old.crossfade) }
        return Double(left) <= Double(now - debt.at) * old.rate
    }

    /// Rooms that could not be reached when the sender was started say later how loud they are.
    private mutating func laterLevels(_ sender: SenderObservation, at now: Int64) -> [Violation] {
        var violations: [Violation] = []
        for group in sender.groups {
            guard let levels = awaitedLevels[sender.name]?[group.name], group.isKnown, sender.isRunning else {
                continue
            }
            let asked = sender.acknowledgements.filter { $0.group == group.name }.map(\.command) + sender.unanswered
            let isChanged = asked.contains { $0.parts.contains(.rooms) }
            let unheard = levels.filter { group.state.level($0.room)?.volume == nil }
            awaitedLevels[sender.name]?[group.name] = isChanged || unheard.isEmpty ? nil : unheard
            for level in levels where !isChanged && !unheard.contains(level) {
                guard let found = group.state.level(level.room),
                    found != owed(level, found, of: group.name, in: sender.name)
                else { continue }
                violations.append(
                    Self.violation(now, .sender(sender.name), "\(group.name) had \(level.text) and has \(found.text)"))
            }
        }
        return violations
    }

    private mutating func remember(_ sender: SenderObservation, at now: Int64) {
        guard sender.isRunning else { return }
        let known = sender.groups.filter(\.isKnown)
        memories[sender.name] = Memory(
            incarnation: sender.incarnation,
            states: Dictionary(known.map { ($0.name, $0.state) }, uniquingKeysWith: { first, _ in first }),
            unanswered: sender.unanswered.reduce([]) { $0.union($1.parts) }, at: now)
    }
}
