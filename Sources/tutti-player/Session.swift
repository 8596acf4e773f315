import Tutti
import TuttiHost
import TuttiSchema
import TuttiSender

/// One run of a player in the foreground: with its socket if it has one, its view, and ^C.
struct Session {
    let player: QueuePlayer
    let server: ControlServer?
    let view: any View

    /// Plays to the end.
    func run() async -> PlayerOutcome {
        let signals = StopSignals(StopSignals.ofTerminal) { Task { await player.stop() } }
        defer { withExtendedLifetime(signals) {} }
        let pages = Task { await ProgramPages.giveBackRegularly() }
        defer { pages.cancel() }
        let events = await player.player.events()
        return await withTaskGroup(of: Void.self) { group in
            if let server { group.addTask { await server.run() } }
            group.addTask {
                for await event in events { view.show(ControlEvent.Kind(event)) }
                view.finish()
            }
            let outcome = await player.run()
            group.cancelAll()
            await group.waitForAll()
            return outcome
        }
    }
}
