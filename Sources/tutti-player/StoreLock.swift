import Foundation
import TuttiHost
import TuttiRooms
import TuttiSchema
import TuttiSender

/// The lock of whoever may change the store: the running service, or a command that steps in for a moment without one.
enum StoreLock {
    /// Seconds to wait for a command that has it. One waits for rooms for three seconds at most.
    private static let patience = 5.0
    private static let pause = 0.01

    /// Takes the lock, and waits for a command that has it.
    ///
    /// - Returns: nil when a service has it, or somebody keeps it.
    /// - Throws: `HostError.file` when the folder can't be written to.
    static func take(in directory: String) throws(HostError) -> FileLock? {
        try StatePaths.prepare(directory)
        let path = directory + "/serve.lock"
        let deadline = Date.now.addingTimeInterval(patience)
        while true {
            if let lock = try FileLock(path: path) { return lock }
            if isServed || Date.now > deadline { return nil }
            Thread.sleep(forTimeInterval: pause)
        }
    }

    /// Whether a service answers: it keeps the lock.
    private static var isServed: Bool {
        do throws(SenderError) {
            _ = try GroupOption.client.ask(ControlRequest(.queue))
            return true
        } catch .nothingPlaying {
            return false
        } catch {
            return true
        }
    }
}
