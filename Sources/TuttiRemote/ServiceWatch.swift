import Glibc
import TuttiPOSIX
package import TuttiSchema

/// Keeps a `HouseView` true, for as long as its thread runs: it watches the service, reads anew what an event does not
/// say, and begins again when the service has gone and come back.
package struct ServiceWatch: Sendable {
    /// What a controller is told.
    package enum News: Sendable {
        /// What is known now, after a change or the first reading.
        case view(HouseView)
        /// What happened, after the view that it led to.
        case event(ControlEvent)
        /// The service is gone, or does not answer; it is tried again.
        case gone
    }

    /// Microseconds between two attempts to reach the service: at first, and at most.
    private static let (shortestPause, longestPause): (UInt32, UInt32) = (100_000, 2_000_000)

    private let locate: @Sendable () -> String
    private let tell: @Sendable (ServiceClient, News) -> Void

    /// A watch of the service behind a socket.
    ///
    /// - Parameter tell: called on the watch's thread, one piece of news after another.
    package init(_ client: ServiceClient, tell: @escaping @Sendable (News) -> Void) {
        self.init(locating: { client.path }) { _, news in tell(news) }
    }

    /// A watch of the service that is found, which may be another one each time that it is looked for.
    ///
    /// - Parameters:
    ///   - locate: the path of the socket, asked for before each attempt.
    ///   - tell: as for the other initializer; with a client of the service that the news is about.
    package init(
        locating locate: @escaping @Sendable () -> String,
        tell: @escaping @Sendable (ServiceClient, News) -> Void
    ) {
        self.locate = locate
        self.tell = tell
    }

    /// Seconds of the clock that positions in a view are told by.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Watches, on this thread, and does not return.
    package func run() -> Never {
        var pause = Self.shortestPause
        var wasGone = false
        while true {
            let client = ServiceClient(path: locate())
            if watchOnce(client) {
                (pause, wasGone) = (Self.shortestPause, false)
            }
            if !wasGone { tell(client, .gone) }
            wasGone = true
            usleep(pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Watches until the service is gone.
    ///
    /// - Returns: whether there was anything to watch.
    private func watchOnce(_ client: ServiceClient) -> Bool {
        // Without a limit: in a house where nothing plays, nothing happens for hours.
        guard let socket = UnixSocket.connected(to: client.path, timeoutSeconds: 0) else { return false }
        var request = ControlRequest(.watch)
        request.target = .all
        guard socket.send(JSONLine.encode(request) + [UInt8(ascii: "\n")]),
            let line = socket.line(limit: ServiceClient.longestLine),
            let response: ControlResponse = JSONLine.decode(line), response.ok
        else { return false }
        var view = HouseView()
        for reading in Self.order {
            guard read(reading, from: client, into: &view) else { return false }
        }
        tell(client, .view(view))
        while let line = socket.line(limit: ServiceClient.longestLine) {
            guard let event: ControlEvent = JSONLine.decode(line) else { continue }
            var told = view
            let readings = view.take(event, at: Self.now)
            for reading in Self.order where readings.contains(reading) {
                guard read(reading, from: client, into: &view) else { return true }
                if view != told { tell(client, .view(view)) }
                told = view
            }
            if view != told { tell(client, .view(view)) }
            tell(client, .event(event))
        }
        return true
    }

    /// How loud rooms are in which nothing plays is asked of their speakers, which takes its time: nothing else waits.
    private static let order: [HouseView.Reading] = [.groups, .rooms]

    /// Reads something anew; false when the service does not answer.
    private func read(_ reading: HouseView.Reading, from client: ServiceClient, into view: inout HouseView) -> Bool {
        do {
            switch reading {
            case .rooms: view.take(levels: try client.answer(to: ControlRequest(.levels(room: nil))))
            case .groups:
                let status = try client.answer(to: ControlRequest(.status))
                let named = try client.answer(to: ControlRequest(.group(.list))).groups ?? [:]
                view.take(status: status, named: named, at: Self.now)
            }
            return true
        } catch {
            return false
        }
    }
}
