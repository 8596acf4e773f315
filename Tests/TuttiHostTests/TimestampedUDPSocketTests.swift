import Foundation
import Glibc
import TestSupport
import Testing
import TuttiCore
import TuttiHost

@Suite(.repeatedWhenDisturbed) struct TimestampedUDPSocketTests {
    /// Receives until `isEnough` or ten seconds are over.
    private func collect(_ socket: TimestampedUDPSocket, until isEnough: ([UDPEvent]) -> Bool) -> [UDPEvent] {
        var events: [UDPEvent] = []
        let deadline = HostClock.rawNow() + 10_000_000_000
        while !isEnough(events), HostClock.rawNow() < deadline {
            events += socket.receive(timeoutNanoseconds: 100_000_000)
        }
        return events
    }

    private func departures(_ events: [UDPEvent]) -> [UInt32: HostTime] {
        var result: [UInt32: HostTime] = [:]
        for case .transmitted(let key, let at, _) in events { result[key] = at }
        return result
    }

    @Test(arguments: ["127.0.0.1", "::1", nil] as [String?])
    func stampsOfBothDirectionsLieInsideWhatTheProcessSaw(address: String?) throws {
        guard address != "::1" || FileManager.default.fileExists(atPath: "/proc/net/if_inet6") else { return }
        let clock = try HostClock.system(environment: ["TUTTI_TEST_CLOCK": "ppm=20,offset=3.5s"])
        let sender = try TimestampedUDPSocket(address: address, port: 0, clock: clock)
        let receiver = try TimestampedUDPSocket(address: address, port: 0, clock: clock)
        let target = try #require(SocketAddress(host: address ?? "127.0.0.1", port: receiver.localPort))
        // The kernel switches stamping on and off in the background as sockets come and go, so stamps may be missing
        // for as long as its work queue takes.
        let deadline = HostClock.rawNow() + 10_000_000_000
        var value: UInt8 = 0
        while receiver.statistics.kernelReceipts < 10, HostClock.rawNow() < deadline {
            value &+= 1
            usleep(1_000)
            let stamp = sender.send([value, 2, 3], to: target)
            #expect(stamp.isSent)
            let got = collect(receiver) { !$0.isEmpty }
            let now = clock.now()
            let left = try #require(departures(collect(sender) { departures($0)[stamp.key] != nil })[stamp.key])
            guard case .datagram(let bytes, let from, let at, _)? = got.first else {
                Issue.record("no datagram")
                return
            }
            #expect(bytes == [value, 2, 3] && from.port == sender.localPort)
            #expect(left >= stamp.userTime.advanced(byNanoseconds: -20_000) && left <= now)
            #expect(at >= left.advanced(byNanoseconds: -20_000) && at <= now)
        }
        #expect(sender.statistics.kernelDepartures >= 10)
        #expect(receiver.statistics.kernelReceipts >= 10)
        #expect(sender.statistics.discarded + receiver.statistics.discarded == 0)
    }

    @Test func keysStillMatchAfterARefusedSend() throws {
        let clock = HostClock()
        let socket = try TimestampedUDPSocket(address: "127.0.0.1", port: 0, clock: clock)
        let own = try #require(SocketAddress(host: "127.0.0.1", port: socket.localPort))
        let first = socket.send([1], to: own)
        // Refused before and after the kernel numbers it: too long, and unreachable from this address.
        #expect(socket.send([UInt8](repeating: 0, count: 70_000), to: own).failure != 0)
        #expect(socket.send([1], to: try #require(SocketAddress(host: "::1", port: 1))).failure != 0)
        #expect(socket.send([1], to: try #require(SocketAddress(host: "203.0.113.1", port: 1))).failure != 0)
        let second = socket.send([2], to: own)
        let events = collect(socket) { departures($0)[second.key] != nil }
        let left = departures(events)
        #expect(second.key != first.key)
        #expect(try #require(left[second.key]) >= second.userTime.advanced(byNanoseconds: -20_000))
    }

    @Test func aFloodIsDeliveredInBoundedBatches() throws {
        let clock = HostClock()
        let socket = try TimestampedUDPSocket(address: "127.0.0.1", port: 0, clock: clock)
        let own = try #require(SocketAddress(host: "127.0.0.1", port: socket.localPort))
        for value in UInt8(0)..<100 { #expect(socket.send([value], to: own).isSent) }
        var values: [UInt8] = []
        while values.count < 100 {
            let batch = socket.receive(timeoutNanoseconds: 1_000_000_000)
            let datagrams = batch.compactMap { event -> UInt8? in
                if case .datagram(let bytes, _, _, _) = event { bytes.first } else { nil }
            }
            try #require(!batch.isEmpty)
            #expect(datagrams.count <= TimestampedUDPSocket.batchLimit)
            #expect(batch.count <= 2 * TimestampedUDPSocket.batchLimit)
            values += datagrams
        }
        #expect(values == Array(0..<100))
    }

    @Test func oversizedDatagramsAreDropped() throws {
        let socket = try TimestampedUDPSocket(address: "127.0.0.1", port: 0, clock: HostClock())
        let own = try #require(SocketAddress(host: "127.0.0.1", port: socket.localPort))
        _ = socket.send([UInt8](repeating: 7, count: TimestampedUDPSocket.datagramLimit + 1), to: own)
        _ = socket.send([UInt8](repeating: 8, count: TimestampedUDPSocket.datagramLimit), to: own)
        _ = socket.send([], to: own)
        var sizes: [Int] = []
        _ = collect(socket) { events in
            sizes = events.compactMap { if case .datagram(let bytes, _, _, _) = $0 { bytes.count } else { nil } }
            return sizes.count >= 2
        }
        #expect(sizes == [TimestampedUDPSocket.datagramLimit, 0])
    }

    @Test func wakeEndsAWait() throws {
        let socket = try TimestampedUDPSocket(address: "127.0.0.1", port: 0, clock: HostClock())
        let thread = try RealtimeThread.spawn(name: "waker", priority: nil) {
            usleep(20_000)
            socket.wake()
        }
        #expect(socket.receive(timeoutNanoseconds: -1).isEmpty)
        thread.join()
        // And it is over then.
        #expect(socket.receive(timeoutNanoseconds: 0).isEmpty)
    }

    @Test func aTakenPortIsNamed() throws {
        let first = try TimestampedUDPSocket(address: "127.0.0.1", port: 0, clock: HostClock())
        let error = #expect(throws: HostError.self) {
            try TimestampedUDPSocket(address: "127.0.0.1", port: first.localPort, clock: HostClock())
        }
        #expect(error?.description == "cannot bind UDP 127.0.0.1:\(first.localPort): Address already in use")
    }
}
