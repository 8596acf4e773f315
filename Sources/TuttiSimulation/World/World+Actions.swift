/// What happens to the house.
extension World {
    package mutating func apply(_ action: Action) {
        switch action {
        case .kill(let machine): kill(machine)
        case .restart(let machine): restart(machine)
        case .freeze(let machine): setFrozen(true, machine)
        case .thaw(let machine): setFrozen(false, machine)
        case .suspend(let machine): setAwake(false, machine)
        case .wake(let machine): setAwake(true, machine)
        case .cut(let machine): port(of: machine)?.isCut = true
        case .mend(let machine): port(of: machine)?.mend()
        case .partition(let machines):
            for port in network.ports { port.side = 0 }
            for machine in machines { port(of: machine)?.side = 1 }
        case .heal: for port in network.ports { port.side = 0 }
        case .impair(let machine, let fault): port(of: machine)?.impair(fault, at: agenda.now)
        case .readdress(let machine): number(of: machine).map { network.readdress($0) }
        // No program of the house reads the wall clock: a step of it changes nothing.
        case .step: break
        case .drift(let machine, let ppm): host(of: machine)?.drift(ppm: ppm)
        case .xrun(let room): speaker(room)?.renderer?.runDry()
        case .unplug(let room):
            speaker(room)?.stage.card.isPlugged = false
            speaker(room)?.renderer?.unplug()
        case .plug(let room): speaker(room)?.stage.card.isPlugged = true
        case .diskFull(let machine): host(of: machine)?.disk.isFull = true
        case .diskFree(let machine): host(of: machine)?.disk.isFull = false
        case .user(let sender, let group, let command):
            senders.first { $0.plan.name == sender }?.ask(command, of: group)
        }
    }

    private func speaker(_ name: String) -> SpeakerMachine? { speakers.first { $0.plan.name == name } }

    func number(of machine: Machine) -> Int? {
        switch machine {
        case .sender(let name): senders.first { $0.plan.name == name }?.host.number
        case .speaker(let name): speaker(name)?.host.number
        }
    }

    private func port(of machine: Machine) -> NetworkPort? { number(of: machine).map { network.ports[$0] } }

    private func host(of machine: Machine) -> VirtualHost? { port(of: machine)?.host }

    private func kill(_ machine: Machine) {
        switch machine {
        case .sender(let name): senders.first { $0.plan.name == name }?.kill()
        case .speaker(let name): speaker(name)?.kill()
        }
    }

    private func restart(_ machine: Machine) {
        switch machine {
        case .sender(let name): senders.first { $0.plan.name == name }?.start()
        case .speaker(let name): speaker(name)?.start()
        }
    }

    private func setFrozen(_ isFrozen: Bool, _ machine: Machine) {
        switch machine {
        case .sender(let name): senders.first { $0.plan.name == name }?.process?.setFrozen(isFrozen)
        case .speaker(let name): speaker(name)?.setFrozen(isFrozen)
        }
    }

    private func setAwake(_ isAwake: Bool, _ machine: Machine) {
        switch machine {
        case .sender(let name): senders.first { $0.plan.name == name }?.setAwake(isAwake)
        case .speaker(let name): speaker(name)?.setAwake(isAwake)
        }
    }
}
