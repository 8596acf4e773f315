extension Machine: CustomStringConvertible {
    /// As scripts name it: `speaker kitchen`.
    package var description: String {
        switch self {
        case .speaker(let name): "speaker \(name)"
        case .sender(let name): "sender \(name)"
        }
    }
}

extension Action: CustomStringConvertible {
    /// The action's line in a script, without its time. Reading it gives the same action.
    package var description: String {
        switch self {
        case .kill(let machine): "kill \(machine)"
        case .restart(let machine): "restart \(machine)"
        case .freeze(let machine): "freeze \(machine)"
        case .thaw(let machine): "thaw \(machine)"
        case .suspend(let machine): "suspend \(machine)"
        case .wake(let machine): "wake \(machine)"
        case .cut(let machine): "cut \(machine)"
        case .mend(let machine): "mend \(machine)"
        case .partition(let machines): "partition \(machines.map(\.description).joined(separator: " "))"
        case .heal: "heal"
        case .impair(let machine, let impairment): impairment.text(on: machine)
        case .readdress(let machine): "readdress \(machine)"
        case .step(let machine, let distance): "step \(machine) \(TimeText.text(distance))"
        case .drift(let machine, let ppm): "drift \(machine) \(ppm)"
        case .xrun(let room): "xrun \(room)"
        case .unplug(let room): "unplug \(room)"
        case .plug(let room): "plug \(room)"
        case .diskFull(let machine): "diskfull \(machine)"
        case .diskFree(let machine): "diskfree \(machine)"
        case .user(let sender, let group, let command): "user \(sender) \(group) \(command)"
        }
    }
}

extension Impairment {
    /// The impairment's line in a script, of a machine's link.
    fileprivate func text(on machine: Machine) -> String {
        switch self {
        case .slow(let rate): "slow \(machine) \(NumberText.text(rate: rate))"
        case .lose(let share): "lose \(machine) \(share)"
        case .corrupt(let share): "corrupt \(machine) \(share)"
        case .duplicate(let share): "duplicate \(machine) \(share)"
        case .reorder(let share, let delay): "reorder \(machine) \(share) \(TimeText.text(delay))"
        case .stall(let length): "stall \(machine) \(TimeText.text(length))"
        case .blackHole(let bytes): "blackhole \(machine) \(bytes)"
        }
    }
}
