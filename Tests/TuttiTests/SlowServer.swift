import Foundation
import Glibc
import Synchronization
import TestSupport

/// A server on this host that gives a file's beginning at once, and the rest when it is told to, or never.
final class SlowServer: Sendable {
    /// What the one connection that is served waits for.
    private final class Gate: Sendable {
        let isOpen = DispatchSemaphore(value: 0)
        let isEnding = Mutex(false)
        let isTaken = Mutex(false)
    }

    private let listener: LoopbackListener
    private let gate: Gate

    var port: UInt16 { listener.port }

    /// - Parameter share: how much of the file is given at once.
    init(file: Data, share: Double) throws {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: \(file.count)\r\nConnection: close\r\n\r\n"
        let first = Int(Double(file.count) * share)
        let gate = Gate()
        self.gate = gate
        listener = try LoopbackListener { peer in
            let isFirst = gate.isTaken.withLock { isTaken in
                defer { isTaken = true }
                return !isTaken
            }
            // Others wait in vain.
            guard isFirst else { return }
            defer { close(peer) }
            guard LoopbackListener.request(from: peer) != nil else { return }
            LoopbackListener.send(Array(head.utf8) + file[..<first], to: peer)
            gate.isOpen.wait()
            if !gate.isEnding.withLock({ $0 }) { LoopbackListener.send(file[first...], to: peer) }
        }
    }

    /// Gives the rest.
    func goOn() { gate.isOpen.signal() }

    /// Hangs up in the middle, and is not to be had any more.
    func end() {
        gate.isEnding.withLock { $0 = true }
        listener.stop()
        gate.isOpen.signal()
    }

    deinit { gate.isOpen.signal() }
}
