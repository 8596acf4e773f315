import Glibc
import TuttiCommandLine
import TuttiHost
import TuttiRooms
import TuttiSchema
import TuttiSender

/// Passes work to the service, and shows it until it is done; ^C leaves it to the service.
enum HandOver {
    /// Whether a service runs.
    static var isPossible: Bool { Remote.host != nil || GroupOption.client.isService == true }

    /// Passes a request to the service, and shows what happens until it is over.
    ///
    /// - Throws: `ProgramFailure` when it refuses, or with how it ended.
    static func run(_ request: ControlRequest, view: any View, isJSON: Bool) throws {
        if request.detaches {
            let response = try GroupOption.client.ask(request, within: patience)
            for notice in response.notices ?? [] { Terminal.writeError(notice + "\n") }
            return
        }
        var watch = try ControlWatch(runtimeDirectory: PlayerSettings.paths.runtimeDirectory, request: request)
        let group = watch.status.group
        if !isJSON { for notice in watch.notices { view.show(.notice(notice)) } }
        let signals = WatchInterrupts.leave {
            view.finish()
            if request.word == .play { Terminal.writeError(farewell(to: group)) }
        }
        defer { withExtendedLifetime(signals) {} }
        while true {
            while let line = watch.next() {
                let event: ControlEvent? = JSONLine.decode(line)
                if isJSON { Terminal.write(line + [UInt8(ascii: "\n")]) } else if let event { view.show(event.kind) }
                guard case .finished(let exitCode, let message)? = event?.kind else { continue }
                view.finish()
                if let failure = Failure(exitCode: exitCode, message) { throw failure }
                return
            }
            // A restarted service does not resume an announcement.
            guard request.word == .play else {
                view.finish()
                throw Failure("the service stopped before the announcement ended")
            }
            view.show(.notice("the service stopped; the rooms keep playing from their buffers"))
            guard let back = try watchAgain(group) else { return view.finish() }
            watch = back
            view.show(.notice("the service is back"))
        }
    }

    /// What to tell the user when the view ends and the music does not.
    private static func farewell(to group: String?) -> String {
        let option = group.map { $0.isEmpty ? "" : " --group \(ShellWord.quoted($0))" } ?? ""
        return "\nThe music keeps playing. Stop it with: tutti stop\(option)\n"
    }

    /// Waits for the service to restart, for instance after an update.
    ///
    /// - Returns: nil if it restarted and the group no longer plays.
    /// - Throws: `Failure` when it does not come back.
    private static func watchAgain(_ group: String?) throws -> ControlWatch? {
        let clock = ContinuousClock()
        let deadline = clock.now + absence
        repeat {
            do throws(SenderError) {
                return try ControlWatch(
                    runtimeDirectory: PlayerSettings.paths.runtimeDirectory,
                    request: ControlRequest(.watch, group: group))
            } catch .refused {
                return nil
            } catch {
                usleep(pause)
            }
        } while clock.now < deadline
        throw Failure("the service did not restart; the rooms keep playing from their buffers until it does")
    }

    /// How long to wait for a service that stopped, and microseconds between two attempts to reach it.
    private static let absence = Duration.seconds(60)
    private static let pause: UInt32 = 100_000

    /// Seconds that the service has to start playing, or to refuse.
    private static let patience = 60
}
