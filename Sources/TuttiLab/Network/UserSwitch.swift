import CLab
import Foundation
import Glibc
import Synchronization

/// A user-space Ethernet switch with delays, on a thread of its own until `stop`.
package final class UserSwitch: Sendable {
    private enum Order {
        case profile(LinkProfile, port: Int)
        case split(SwitchFabric.PortSet)
    }

    private struct Shared {
        var orders: [Order] = []
        var statistics = SwitchStatistics()
        var isRealtime = false
        var failure: LabError?
        var readers = 0
        var stops = false
    }

    /// The lowest real-time priority: above every ordinary thread, below the render threads that are measured.
    private static let priority: Int32 = 1

    private let names: [String]
    private let wake: Int32
    private let started = DispatchSemaphore(value: 0)
    private let published = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let shared = Mutex(Shared())

    /// Opens the ports and starts the thread.
    /// - Parameters:
    ///   - namespace: the network namespace in which the interfaces are.
    ///   - ports: name (also the interface's) and profile of each.
    ///   - seed: of every delay, stall and loss.
    package init(namespace: String, ports: [(name: String, profile: LinkProfile)], seed: UInt64) throws(LabError) {
        names = ports.map(\.name)
        wake = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        guard wake >= 0 else { throw .system(call: "eventfd", errno: errno) }
        let fabric = SwitchFabric(profiles: ports.map(\.profile), seed: seed)
        let thread = Thread { [self] in
            run(namespace: namespace, fabric: fabric)
            ended.signal()
        }
        thread.name = "lab-switch"
        thread.start()
        started.wait()
        if let failure = shared.withLock({ $0.failure }) { throw failure }
    }

    deinit {
        close(wake)
    }

    /// Whether the thread got real-time scheduling.
    package var isRealtime: Bool { shared.withLock { $0.isRealtime } }

    /// What was done so far. Not after `stop`.
    package var statistics: SwitchStatistics {
        shared.withLock { $0.readers += 1 }
        wakeThread()
        published.wait()
        return shared.withLock { $0.statistics }
    }

    /// Gives a host's port another profile for the frames to come.
    package func setProfile(_ profile: LinkProfile, of host: String) throws(LabError) {
        guard let port = names.firstIndex(of: host) else { throw .unknownHost(host) }
        give(.profile(profile, port: port))
    }

    /// Cuts the network in two: these hosts and all others. No hosts make it whole again.
    package func split(_ hosts: [String]) throws(LabError) {
        var ports: SwitchFabric.PortSet = 0
        for host in hosts {
            guard let port = names.firstIndex(of: host) else { throw .unknownHost(host) }
            ports |= 1 << SwitchFabric.PortSet(port)
        }
        give(.split(ports))
    }

    /// Returns once it is obeyed.
    private func give(_ order: Order) {
        let isRunning = shared.withLock { shared in
            shared.orders.append(order)
            if !shared.stops { shared.readers += 1 }
            return !shared.stops
        }
        guard isRunning else { return }
        wakeThread()
        published.wait()
    }

    /// Ends the thread and closes its sockets; frames under way are lost. Call it once.
    package func stop() {
        shared.withLock { $0.stops = true }
        wakeThread()
        ended.wait()
    }

    private func wakeThread() {
        eventfd_write(wake, 1)
    }

    private func run(namespace: String, fabric: SwitchFabric) {
        let loop: SwitchLoop
        do {
            try NetworkNamespace.enter(namespace)
            var ports: [PacketPort] = []
            for name in names { ports.append(try PacketPort(interface: name)) }
            loop = SwitchLoop(ports: ports, fabric: fabric, wake: wake)
        } catch {
            shared.withLock { $0.failure = error }
            started.signal()
            return
        }
        clab_minimal_timer_slack()
        WakefulProcessor.pinThread()
        var parameter = sched_param()
        parameter.sched_priority = Self.priority
        let isRealtime = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter) == 0
        shared.withLock { $0.isRealtime = isRealtime }
        started.signal()
        while !obey(loop) {
            repeat { loop.step() } while !wasWoken()
        }
    }

    /// Whether somebody woke the thread since the last call.
    private func wasWoken() -> Bool {
        var count: eventfd_t = 0
        return eventfd_read(wake, &count) == 0
    }

    /// Carries out what was ordered; true when the thread shall end.
    private func obey(_ loop: SwitchLoop) -> Bool {
        shared.withLock { shared in
            for order in shared.orders {
                switch order {
                case .profile(let profile, let port): loop.setProfile(profile, port: port)
                case .split(let ports): loop.split(ports)
                }
            }
            shared.orders = []
            if shared.readers > 0 {
                loop.readProcessorTime()
                shared.statistics = loop.statistics
                for _ in 0..<shared.readers { published.signal() }
                shared.readers = 0
            }
            return shared.stops
        }
    }
}
