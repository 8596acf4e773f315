import CLab
import Foundation
import Glibc

/// Measures the way between two hosts with datagrams there and back, by the kernel's stamps.
package final class LinkProbe {
    /// One exchange: nanoseconds from the kernel's stamp of sending to that of arrival.
    package struct Trip: Sendable, Equatable {
        package var there: Int64
        package var back: Int64
    }

    /// The discard service's port: nothing of ours uses it.
    private static let port: UInt16 = 9
    /// A clock exchange's size.
    private static let bytes = 64
    /// How long an answer is waited for: longer than any stall.
    private static let patience: Int64 = 500_000_000

    /// How often a datagram is sent until it is stamped: the kernel begins with that a moment after it is asked to.
    private static let attempts = 100

    private let near: Int32
    private let far: Int32

    /// Opens a socket in each host.
    package init(_ hosts: LabHosts, from: String, to: String) throws(LabError) {
        near = try Self.socket(
            in: hosts.namespace(of: from), address: try hosts.address(of: from), peer: try hosts.address(of: to))
        do {
            far = try Self.socket(
                in: hosts.namespace(of: to), address: try hosts.address(of: to), peer: try hosts.address(of: from))
        } catch {
            close(near)
            throw error
        }
    }

    deinit {
        close(near)
        close(far)
    }

    /// Makes exchanges one after the other; those that get lost are left out.
    /// - Parameter pause: seconds between two.
    package func measure(count: Int, pause: Double) -> [Trip] {
        (0..<count).compactMap { _ in
            defer { usleep(UInt32(pause * 1e6)) }
            guard let there = Self.pass(from: near, to: far), let back = Self.pass(from: far, to: near) else {
                return nil
            }
            return Trip(there: there, back: back)
        }
    }

    /// Sends a datagram and returns how long it took; nil when it did not arrive.
    private static func pass(from sender: Int32, to receiver: Int32) -> Int64? {
        var payload = [UInt8](repeating: 0, count: bytes)
        for _ in 0..<attempts {
            guard send(sender, &payload, bytes, 0) == bytes else { return nil }
            let sent = clab_stamp(sender, 1, patience)
            let arrived = clab_stamp(receiver, 0, patience)
            if sent > 0, arrived > 0 { return arrived - sent }
            guard sent < 0 || arrived < 0 else { return nil }
            usleep(1_000)
        }
        return nil
    }

    /// A stamping socket in a namespace.
    private static func socket(in name: String, address: String, peer: String) throws(LabError) -> Int32 {
        try HostErrand(in: name) { () throws(LabError) -> Int32 in
            let descriptor = clab_stamping_socket(address, peer, Self.port)
            guard descriptor >= 0 else { throw .system(call: "socket in \(name)", errno: -descriptor) }
            return descriptor
        }.value()
    }
}
