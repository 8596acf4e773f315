import Foundation
import Synchronization
import TestSupport
import Testing
import TuttiHost

@Suite(.repeatedWhenDisturbed) struct RealtimeThreadTests {
    @Test func runsUnderItsNameAndScheduling() throws {
        let seen = Mutex<(name: String, policy: Int32)>(("", -1))
        let handle = try RealtimeThread.spawn(name: "a-very-long-thread-name", priority: 5) {
            let name = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
            seen.withLock { $0 = (name, sched_getscheduler(0)) }
        }
        handle.join()
        handle.join()
        let (name, policy) = seen.withLock { $0 }
        #expect(name == "a-very-long-thr\n")
        switch handle.policy {
        case .fifo(let priority): #expect(priority == 5 && policy == SCHED_FIFO)
        // What RealtimeKit gives comes later than the thread looks.
        case .kit: break
        case .ordinary(let refusal): #expect(refusal == EPERM && policy == SCHED_OTHER)
        }
    }

    @Test func ordinaryThreadsAskForNothing() throws {
        let handle = try RealtimeThread.spawn(name: "plain", priority: nil) {}
        #expect(handle.policy == .ordinary(refusal: 0))
    }
}
