import CLab
import Foundation
import Glibc
import Synchronization

/// Takes down what hosts give to the switch, each frame once, until it is stopped: all that somebody on the wire sees.
package final class WireCapture: Sendable {
    /// The kernel's queue of each port.
    private static let receiveBufferBytes: Int32 = 16 << 20
    /// Longer than any frame.
    private static let frameBytes = 2_048

    private struct Shared {
        var packets: [WirePacket] = []
        var stops = false
    }

    private let descriptors: [Int32]
    private let shared = Mutex(Shared())
    private let ended = DispatchSemaphore(value: 0)

    /// Begins, with the frames of all hosts.
    package init(_ hosts: LabHosts) throws(LabError) {
        let names = hosts.hosts.map(\.name)
        descriptors = try HostErrand(in: hosts.namespace(of: "switch")) { () throws(LabError) -> [Int32] in
            var opened: [Int32] = []
            for name in names {
                let descriptor = clab_packet_open(name, Self.receiveBufferBytes)
                guard descriptor >= 0 else { throw .system(call: "packet socket on \(name)", errno: -descriptor) }
                opened.append(descriptor)
            }
            return opened
        }.value()
        Thread { [self] in
            read()
            ended.signal()
        }.start()
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// What has come so far.
    package var packets: [WirePacket] { shared.withLock { $0.packets } }

    /// The datagrams among the last so many packets.
    package func datagrams(ofLast count: Int) -> [WirePacket] {
        shared.withLock { $0.packets.suffix(count).filter { $0.transport == .udp } }
    }

    /// Ends it. Call it once.
    package func stop() {
        shared.withLock { $0.stops = true }
        ended.wait()
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: Self.frameBytes)
        while !shared.withLock({ $0.stops }) {
            var wanted = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard Glibc.poll(&wanted, nfds_t(wanted.count), 50) > 0 else { continue }
            var arrived: [WirePacket] = []
            for descriptor in descriptors {
                while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
                    if let packet = WirePacket(frame: Array(buffer[..<count])) { arrived.append(packet) }
                }
            }
            shared.withLock { $0.packets += arrived }
        }
    }
}
