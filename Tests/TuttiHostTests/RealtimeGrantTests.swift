import Glibc
import Synchronization
import Testing
import TuttiHost

@Suite struct RealtimeGrantTests {
    @Test func saysInOneLineWhatWasGranted() {
        let cases: [(RealtimeOutcome, Bool, [String])] = [
            (RealtimeOutcome(policy: .fifo(priority: 60)), true, ["directly", "60"]),
            (RealtimeOutcome(policy: .kit(priority: 20)), true, ["through rtkit at priority 20"]),
            (
                RealtimeOutcome(policy: .ordinary(refusal: EPERM), brokerRefusal: "no system bus"), false,
                ["not granted", "rtkit: no system bus", "rtprio 70", "LimitRTPRIO"]
            ),
        ]
        for (outcome, isGranted, parts) in cases {
            #expect(outcome.isGranted == isGranted)
            let line = outcome.description
            #expect(parts.allSatisfy { line.contains($0) } && !line.contains("\n"), "\(line)")
        }
    }

    @Test func aThreadsGrantIsSettledInTheEnd() throws {
        let known = Mutex<RealtimeOutcome?>(nil)
        let handle = try RealtimeThread.spawn(name: "grant", priority: 5) {
            for _ in 0..<500 where known.withLock({ $0 == nil }) { RealtimeThread.pause(nanoseconds: 10_000_000) }
        }
        handle.grant.whenSettled { outcome in known.withLock { $0 = outcome } }
        handle.join()
        let outcome = try #require(known.withLock { $0 })
        #expect(outcome.policy == handle.policy && handle.grant.isSettled)
        if !outcome.isGranted { #expect(outcome.brokerRefusal != nil) }
    }

    @Test func whatIsSettledIsToldAtOnce() throws {
        let handle = try RealtimeThread.spawn(name: "plain", priority: nil) {}
        let told = Atomic<Bool>(false)
        handle.grant.whenSettled { outcome in
            told.store(outcome.policy == .ordinary(refusal: 0), ordering: .relaxed)
        }
        let wasTold = told.load(ordering: .relaxed)
        #expect(wasTold)
    }
}
