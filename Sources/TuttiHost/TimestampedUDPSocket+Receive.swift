import CLinux
import Glibc
import Synchronization
import TuttiCore

extension TimestampedUDPSocket {
    /// Waits until a datagram or a departure is there, `wake()` is called or the time is over, and delivers what is
    /// there: at most `batchLimit` datagrams and `batchLimit` departures, so that a flood cannot hold the caller.
    ///
    /// - Parameter timeoutNanoseconds: real nanoseconds; 0 only looks, a negative value waits for ever.
    /// - Returns: departures first, then datagrams in order of arrival; empty after a timeout or a wake.
    package func receive(timeoutNanoseconds: Int64) -> [UDPEvent] {
        var polled = (
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waker, events: Int16(POLLIN), revents: 0)
        )
        let count = withUnsafeMutablePointer(to: &polled) {
            $0.withMemoryRebound(to: pollfd.self, capacity: 2) { tutti_poll($0, 2, timeoutNanoseconds) }
        }
        // Also when nothing has come: the hardware's clocks are compared with the host's once a second at least.
        ledger.withLock { updateClocks(&$0, now: HostClock.rawNow()) }
        guard count > 0 else { return [] }
        if polled.1.revents != 0 {
            var value: UInt64 = 0
            _ = read(waker, &value, MemoryLayout<UInt64>.size)
        }
        guard polled.0.revents != 0 else { return [] }
        return withUnsafeTemporaryAllocation(byteCount: Self.datagramLimit, alignment: 16) { payload in
            withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { control in
                drain(DatagramReader(descriptor: descriptor, payload: payload, control: control))
            }
        }
    }

    private func drain(_ reader: DatagramReader) -> [UDPEvent] {
        ledger.withLock { ledger in
            ledger.observe(bridge: .measure())
            var events: [UDPEvent] = []
            drainDepartures(reader, &ledger, into: &events)
            drainDatagrams(reader, &ledger, into: &events)
            return events
        }
    }

    private func drainDepartures(_ reader: DatagramReader, _ ledger: inout StampLedger, into events: inout [UDPEvent]) {
        for _ in 0..<Self.batchLimit {
            guard let notice = reader.next(flags: Int32(MSG_ERRQUEUE)) else { return }
            guard let number = notice.departureNumber else { continue }
            guard let departure = ledger.departure(number: number, notice.stamp, now: HostClock.rawNow()) else {
                continue
            }
            let kind = departure.stamp.kind
            if kind == .hardware { ledger.statistics.hardwareDepartures += 1 }
            if kind == .kernel { ledger.statistics.kernelDepartures += 1 }
            events.append(.transmitted(key: departure.key, at: clock.hostTime(raw: departure.stamp.raw), stamp: kind))
        }
    }

    private func drainDatagrams(_ reader: DatagramReader, _ ledger: inout StampLedger, into events: inout [UDPEvent]) {
        for _ in 0..<Self.batchLimit {
            let before = HostClock.rawNow()
            guard let datagram = reader.next(flags: 0) else { return ledger.sawEmptyQueue(at: before) }
            guard !datagram.isTruncated, let from = datagram.from else { continue }
            marking.withLock { $0.classes.received(from: from, isMarked: datagram.isMarked) }
            let verdict = ledger.arrival(datagram.stamp, from: from, now: HostClock.rawNow())
            let kind = verdict?.kind ?? .user
            switch kind {
            case .hardware: ledger.statistics.hardwareReceipts += 1
            case .kernel: ledger.statistics.kernelReceipts += 1
            case .user: ledger.statistics.userReceipts += 1
            }
            events.append(
                .datagram(
                    bytes: Array(reader.payload.prefix(datagram.length)), from: from,
                    receivedAt: clock.hostTime(raw: verdict?.raw ?? before), stamp: kind))
        }
    }
}
