extension Scenario {
    /// What an action names and the scenario has not, with what it has; nil when it has all of it.
    func missing(for action: Action) -> String? {
        switch action {
        case .kill(let machine), .restart(let machine), .freeze(let machine), .thaw(let machine),
            .suspend(let machine), .wake(let machine), .cut(let machine), .mend(let machine),
            .impair(let machine, _), .readdress(let machine), .step(let machine, _), .drift(let machine, _),
            .diskFull(let machine), .diskFree(let machine):
            missing(machine)
        case .partition(let machines): machines.lazy.compactMap(missing).first
        case .heal: nil
        case .xrun(let room), .unplug(let room), .plug(let room): missing(.speaker(room))
        case .user(let sender, let group, let command):
            missing(.sender(sender)) ?? missing(group: group, of: sender) ?? missing(for: command)
        }
    }

    private func missing(for command: UserCommand) -> String? {
        switch command {
        case .add(let song), .insert(let song): Self.missing("song", song, in: songs.map(\.name))
        case .volume(let room, _), .mute(let room, _), .addRoom(let room), .removeRoom(let room):
            missing(.speaker(room))
        default: nil
        }
    }

    private func missing(group: String, of sender: String) -> String? {
        Self.missing("group of sender \(sender)", group, in: groups.filter { $0.sender == sender }.map(\.name))
    }

    private func missing(_ machine: Machine) -> String? {
        switch machine {
        case .speaker(let name): Self.missing("speaker", name, in: rooms.map(\.name))
        case .sender(let name): Self.missing("sender", name, in: senders.map(\.name))
        }
    }

    static func missing(_ kind: String, _ name: String, in names: [String]) -> String? {
        guard !names.contains(name) else { return nil }
        return
            "no such \(kind): '\(name)'; \(names.isEmpty ? "there are none" : "use \(names.joined(separator: ", "))")"
    }
}
