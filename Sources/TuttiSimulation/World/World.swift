import TuttiCore
import TuttiHost
import TuttiSpeaker
import TuttiWire

/// A house in which the real programs run, in virtual time: senders with their players, speakers with their
/// controllers, and the clock that they share.
///
/// One thread does everything, in the order of an agenda; nothing reads the system's clock, and nothing is random but
/// what is drawn from the seed. What the programs have of the system is put in its place: event loops, connections,
/// datagrams, disks, cards, threads and ids.
package struct World: SimulatedHouse {
    let scenario: Scenario
    let agenda = Agenda()
    let network: VirtualNetwork
    let speakers: [SpeakerMachine]
    let senders: [SenderMachine]
    let bugs: Set<PlantedBug>
    /// Where rooms are in the scenario's order.
    let roomPlaces: [String: Int]

    package init(scenario: Scenario, seed: UInt64, bugs: Set<PlantedBug>) {
        self.scenario = scenario
        self.bugs = bugs
        roomPlaces = Dictionary(
            scenario.rooms.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let (agenda, network) = (agenda, VirtualNetwork(agenda: agenda))
        self.network = network
        senders = scenario.senders.enumerated().map { index, plan in
            let host = VirtualHost(index, ppm: plan.clockPpm, seed: seed, agenda: agenda)
            network.add(host, plan.link, seed: seed)
            return SenderMachine(plan, on: host, network: network, scenario: scenario, seed: seed)
        }
        let (first, songs) = (scenario.senders.count, scenario.songs.map(\.name))
        speakers = scenario.rooms.enumerated().map { index, plan in
            let host = VirtualHost(first + index, ppm: plan.clockPpm, seed: seed, agenda: agenda)
            network.add(host, plan.link, seed: seed)
            return SpeakerMachine(plan, on: host, network: network, songs: songs, seed: seed)
        }
        connectTruth()
        plantBugs()
        for speaker in speakers { speaker.start(after: 0) }
        for sender in senders { sender.start() }
    }

    package mutating func run(until time: Int64) { agenda.run(until: time) }

    /// How much has happened so far: events of the agenda.
    package var eventCount: UInt64 { agenda.count }

    // MARK: Truth

    private func connectTruth() {
        let (speakers, senders) = (speakers, senders)
        for speaker in speakers {
            let number = speaker.host.number
            speaker.stage.trueGroupTime = { timescale in
                Self.groupTime(timescale, at: number, speakers, senders)
            }
            speaker.stage.stream = { [unowned speaker] in speaker.controller?.session.streamID ?? 0 }
        }
    }

    private func plantBugs() {
        guard let last = speakers.last else { return }
        if bugs.contains(.lateRoom) { last.stage.plantedLateness = 5_000_000 }
        if bugs.contains(.silentWhileLoaded) { last.stage.leavesOut = true }
        if bugs.contains(.repeatedSound) { last.stage.repeats = true }
        if bugs.contains(.creditIgnored) { last.takesTooMuch = true }
        if bugs.contains(.unheardTimebase) { last.missesTimebases = true }
        if bugs.contains(.stubbornLeader) { network.ports[last.host.number].staysAlone = true }
        if bugs.contains(.earlyAcknowledgement) { for sender in senders { sender.acknowledgesEarly = true } }
    }
}
