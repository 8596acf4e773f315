import Glibc
import TuttiCommandLine
import TuttiHost
import TuttiSchema
import TuttiSender

/// Work that is handed over to the service: shown while it lasts, and left to it at ^C.
enum HandOver {
    /// Whether a service runs that takes it.
    static var isPossible: Bool { GroupOption.client.isService == true }

    /// Has the service do what is asked for, and shows what happens until it is over.
    ///
    /// - Throws: `ProgramFailure` when it refuses, or with how it ended.
    static func run(_ request: ControlRequest, view: any View, isJSON: Bool) throws {
        if request.detaches {
            _ = try GroupOption.client.ask(request, within: patience)
            return
        }
        var watch = try ControlWatch(runtimeDirectory: Settings.paths.runtimeDirectory, request: request)
        let group = watch.status.group
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
            // An announcement is nothing that a service goes on with.
            guard request.word == .play else {
                view.finish()
                throw Failure("the service has gone")
            }
            view.show(.notice("the service has gone; the rooms play on from what they hold"))
            guard let back = try watchAgain(group) else { return view.finish() }
            watch = back
            view.show(.notice("the service is back"))
        }
    }

    /// What to know when the view ends and the music does not.
    private static func farewell(to group: String?) -> String {
        let option = group.map { $0.isEmpty ? "" : " --group \(ShellWord.quoted($0))" } ?? ""
        return "\nThe music keeps playing. Stop it with: tutti stop\(option)\n"
    }

    /// Waits for a service that is started again, as by an update.
    ///
    /// - Returns: nil when it is there and the group plays no more.
    /// - Throws: `ProgramFailure` when it does not come back.
    private static func watchAgain(_ group: String?) throws -> ControlWatch? {
        let clock = ContinuousClock()
        let deadline = clock.now + absence
        repeat {
            do throws(SenderError) {
                return try ControlWatch(
                    runtimeDirectory: Settings.paths.runtimeDirectory, request: ControlRequest(.watch, group: group))
            } catch .refused {
                return nil
            } catch {
                usleep(pause)
            }
        } while clock.now < deadline
        throw Failure("the service has not come back; the rooms play on from what they hold, and with it when it does")
    }

    /// For how long a service that has gone is waited for, and microseconds between two looks for it.
    private static let absence = Duration.seconds(60)
    private static let pause: UInt32 = 100_000

    /// Seconds until something is heard, or cannot be.
    private static let patience = 60
}
