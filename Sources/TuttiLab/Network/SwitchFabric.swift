import TuttiCore

/// The switch without its sockets: which ports a frame goes to, and when.
///
/// A frame that arrives at `a` crosses the uplink of its source port and then the downlink of each port that it goes
/// to; both instants are known on arrival, so that any number of frames can be under way at once.
package struct SwitchFabric: Sendable {
    /// A set of ports, bit i for port i.
    package typealias PortSet = UInt64

    /// Ports at most: a bit each.
    package static let maximumPorts = 64
    /// Addresses learned at most; beyond it unknown ones are flooded.
    package static let maximumAddresses = 4096

    package let portCount: Int
    private var uplinks: [LinkImpairment]
    private var downlinks: [LinkImpairment]
    private var stations: [UInt64: Int] = [:]
    /// Until when each air is busy.
    private var busyAirs: [Int: Int64] = [:]
    /// Ports that reach one another and none of the others.
    private var island: PortSet = 0

    /// - Parameter profiles: of the ports in order, at most `maximumPorts`; more are cut off.
    package init(profiles: [LinkProfile], seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        uplinks = []
        downlinks = []
        for profile in profiles.prefix(Self.maximumPorts) {
            let stallSeed = dice.next()
            uplinks.append(LinkImpairment(profile.uplink, seed: dice.next(), stallSeed: stallSeed))
            downlinks.append(LinkImpairment(profile.downlink, seed: dice.next(), stallSeed: stallSeed))
        }
        portCount = uplinks.count
    }

    /// Gives a port another profile for the frames to come; those under way keep their times. Ignores unknown ports.
    package mutating func setProfile(_ profile: LinkProfile, port: Int) {
        guard uplinks.indices.contains(port) else { return }
        uplinks[port].direction = profile.uplink
        downlinks[port].direction = profile.downlink
    }

    /// Cuts the network in two: these ports and the others. An empty set makes it whole again.
    package mutating func split(_ ports: PortSet) { island = ports }

    /// Learns the source address and says which ports a frame goes to: the port of its destination, or for a group
    /// address or an unknown one all but the port it came from.
    /// - Parameters:
    ///   - destination: MAC address, the first octet on the wire in bits 47…40.
    ///   - source: likewise.
    package mutating func route(destination: UInt64, source: UInt64, from port: Int) -> PortSet {
        if !Self.isGroup(source), stations[source] != port,
            stations.count < Self.maximumAddresses || stations[source] != nil
        {
            stations[source] = port
        }
        let all = portCount == Self.maximumPorts ? PortSet.max : (1 << PortSet(portCount)) - 1
        let own = PortSet(1) << PortSet(port)
        let others = (island & own == 0 ? all & ~island : all & island) & ~own
        guard !Self.isGroup(destination), let known = stations[destination] else { return others }
        return (1 << PortSet(known)) & others
    }

    /// Whether the downlink to a port carries only so much in a time.
    package func isLimited(_ port: Int) -> Bool { downlinks[port].direction.capacity != nil }

    /// How a frame that arrived at `time` gets through its source's uplink; nil when it is lost there.
    package mutating func ascend(from port: Int, at time: Int64, _ frame: LinkFrame = LinkFrame()) -> LinkPassage? {
        Self.pass(&uplinks[port], &busyAirs, at: time, frame)
    }

    /// How a frame that is in the switch at `time` gets through the downlink to `port`; nil when it is lost there.
    package mutating func descend(to port: Int, at time: Int64, _ frame: LinkFrame = LinkFrame()) -> LinkPassage? {
        Self.pass(&downlinks[port], &busyAirs, at: time, frame)
    }

    private static func pass(
        _ link: inout LinkImpairment, _ busyAirs: inout [Int: Int64], at time: Int64, _ frame: LinkFrame
    ) -> LinkPassage? {
        guard let air = link.direction.capacity?.air else { return link.pass(frame, entering: time) }
        link.freeAt = busyAirs[air] ?? .min
        defer { busyAirs[air] = link.freeAt }
        return link.pass(frame, entering: time)
    }

    /// Whether an address is a multicast or the broadcast one.
    private static func isGroup(_ address: UInt64) -> Bool {
        address & 0x0100_0000_0000 != 0
    }
}
