import Synchronization
import Testing
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiTiming

struct SteppedClockTests {
    /// Keeps what is sent.
    private final class Mailbox: TimingSocket {
        struct Letter { let bytes: [UInt8], address: SocketAddress }

        let localPort: UInt16
        let letters = Mutex<[Letter]>([])
        let time: Mutex<Int64>

        init(port: UInt16, time: Int64) {
            localPort = port
            self.time = Mutex(time)
        }

        func send(_ bytes: [UInt8], to address: SocketAddress) -> SendStamp {
            letters.withLock { $0.append(Letter(bytes: bytes, address: address)) }
            return SendStamp(key: 0, userTime: HostTime(nanoseconds: time.withLock { $0 }))
        }

        func receive(timeoutNanoseconds: Int64) -> [UDPEvent] { [] }
        func wake() {}
        func take() -> [Letter] {
            letters.withLock { letters in
                defer { letters = [] }; return letters
            }
        }
    }

    private func member(_ socket: Mailbox, seed: UInt64) -> GroupClock {
        let clock = HostClock { socket.time.withLock { $0 } }
        return GroupClock(hostClock: clock, socket: socket, random: RandomSource(seed: seed))
    }

    @Test func aMemberSteppedByHandLearnsTheClockTheSameEachTime() throws {
        func offset() throws -> Int64 {
            let (near, far) = (Mailbox(port: 1, time: 5_000_000_000), Mailbox(port: 2, time: 9_000_000_000))
            let (leader, follower) = (member(near, seed: 1), member(far, seed: 2))
            let timescale = leader.lead()
            let address = try #require(SocketAddress(host: "10.0.0.1", port: 1))
            follower.follow(timescale, parents: [address])
            for _ in 0..<200 {
                for box in [near, far] { box.time.withLock { $0 += 5_000_000 } }
                _ = follower.sendDue()
                for letter in far.take() { deliver(letter, to: leader, at: near) }
                for letter in near.take() { deliver(letter, to: follower, at: far) }
            }
            let (ours, theirs) = (try #require(leader.now()), try #require(follower.now()))
            #expect(abs(ours.nanoseconds - theirs.nanoseconds) < 1_000)
            return theirs.nanoseconds
        }
        #expect(try offset() == offset())
    }

    private func deliver(_ letter: Mailbox.Letter, to member: GroupClock, at box: Mailbox) {
        let now = HostTime(nanoseconds: box.time.withLock { $0 })
        member.take(.datagram(bytes: letter.bytes, from: letter.address, receivedAt: now, stamp: .kernel))
    }
}
