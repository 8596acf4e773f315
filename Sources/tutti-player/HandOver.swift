import TuttiHost
import TuttiSender

/// Work that is handed over to the service: shown while it lasts, and left to it at ^C.
enum HandOver {
    /// Whether a service runs that takes it.
    static var isPossible: Bool { GroupOption.client.isService == true }

    /// Has the service do what is asked for, and shows what happens until it is over.
    ///
    /// - Throws: `Failure` when it refuses, or with how it ended.
    static func run(_ request: ControlRequest, view: any View, isJSON: Bool) throws {
        if request.detach == true {
            do throws(SenderError) {
                _ = try GroupOption.client.ask(request, within: patience)
            } catch {
                throw Failure(error)
            }
            return
        }
        let watch = try begin(request)
        let signals = WatchInterrupts.leave { view.finish() }
        defer { withExtendedLifetime(signals) {} }
        while let line = watch.next() {
            let event: PlayerEvent? = JSONLine.decode(line)
            if isJSON { Terminal.write(line + [UInt8(ascii: "\n")]) } else if let event { view.show(event) }
            guard case .finished(let outcome)? = event else { continue }
            view.finish()
            if let failure = Failure(outcome) { throw failure }
            return
        }
        view.finish()
        throw Failure("the service has gone; the rooms play on from what they hold, and with it when it is back")
    }

    private static func begin(_ request: ControlRequest) throws -> ControlWatch {
        do {
            return try ControlWatch(runtimeDirectory: Settings.paths.runtimeDirectory, request: request)
        } catch {
            throw Failure(error)
        }
    }

    /// Seconds until something is heard, or cannot be.
    private static let patience = 60
}
