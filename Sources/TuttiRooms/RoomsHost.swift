package import NIOCore
import NIOPosix
package import TuttiHost
package import TuttiTiming
package import TuttiTrust

/// What a group of rooms needs of its host beside the clock: an event loop, the network, and chance. A simulation has
/// its own.
package struct RoomsHost: Sendable {
    /// Gives the event loop that a group is to live on.
    package var loop: @Sendable () -> any EventLoop
    /// How connections are made.
    package var transport: any Transport
    /// Ids and seeds.
    package var random: RandomSource
    /// A member of group clocks whose thread runs.
    package var startClock: @Sendable (HostClock) throws(HostError) -> GroupClock
    /// Finds rooms by name, for a sender of a household or for one that has none.
    package var findRooms: @Sendable (Set<String>, Membership?, any EventLoop) -> EventLoopFuture<RoomResolver.Findings>
    /// Whether rooms behind slow links get thinner packets, which are made on a thread of their own.
    package var thinsPackets = true
    /// How many bytes on a wire each byte of a packet stands for: one, but where light packets stand for real ones.
    package var packetWeight = 1

    /// A host of these parts.
    package init(
        loop: @escaping @Sendable () -> any EventLoop, transport: any Transport, random: RandomSource,
        startClock: @escaping @Sendable (HostClock) throws(HostError) -> GroupClock,
        findRooms:
            @escaping @Sendable (Set<String>, Membership?, any EventLoop) -> EventLoopFuture<RoomResolver.Findings>
    ) {
        self.loop = loop
        self.transport = transport
        self.random = random
        self.startClock = startClock
        self.findRooms = findRooms
    }

    /// Between the priority of ordinary work and that of a speaker's threads on the same host.
    private static let timingPriority = 10

    /// This host.
    package static let system = RoomsHost(
        loop: { MultiThreadedEventLoopGroup.singleton.any() }, transport: TCPTransport(), random: .system,
        startClock: { hostClock throws(HostError) in
            let clock = try GroupClock(hostClock: hostClock)
            // A service has one for each group.
            _ = try RealtimeThread.spawn(name: "tutti-clock", priority: timingPriority, touchesStack: false) {
                clock.runLoop()
            }
            return clock
        },
        findRooms: { names, trust, loop in
            loop.makeFutureWithTask { await RoomResolver.find(names, as: trust) }
        })
}
