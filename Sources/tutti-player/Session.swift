import Dispatch
import Glibc
import Tutti
import TuttiSender

/// One run of a player in the foreground: with its socket if it has one, its view, and ^C.
struct Session {
    let player: QueuePlayer
    let server: ControlServer?
    let view: any View

    /// Plays to the end.
    func run() async -> PlayerOutcome {
        let signals = Self.interrupts { Task { await player.stop() } }
        defer { withExtendedLifetime(signals) {} }
        let events = await player.player.events()
        return await withTaskGroup(of: Void.self) { group in
            if let server { group.addTask { await server.run() } }
            group.addTask {
                for await event in events { view.show(event) }
                view.finish()
            }
            let outcome = await player.run()
            group.cancelAll()
            await group.waitForAll()
            return outcome
        }
    }

    /// Calls `stop` at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. Works while the result is held.
    private static func interrupts(_ stop: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
                stop()
            }
            source.resume()
            return source
        }
    }
}
