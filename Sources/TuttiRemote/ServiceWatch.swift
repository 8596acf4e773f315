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

    private let client: ServiceClient
    private let tell: @Sendable (News) -> Void

    /// A watch of the service behind a socket.
    ///
    /// - Parameter tell: called on the watch's thread, one piece of news after another.
    package init(_ client: ServiceClient, tell: @escaping @Sendable (News) -> Void) {
        self.client = client
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
            if watchOnce() {
                (pause, wasGone) = (Self.shortestPause, false)
            }
            if !wasGone { tell(.gone) }
            wasGone = true
            usleep(pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Watches until the service is gone.
    ///
    /// - Returns: whether there was anything to watch.
    private func watchOnce() -> Bool {
        // Without a limit: in a house where nothing plays, nothing happens for hours.
        guard let socket = UnixSocket.connected(to: client.path, timeoutSeconds: 0) else { return false }
        var request = ControlRequest(.watch)
        request.target = .all
        guard socket.send(JSONLine.encode(request) + [UInt8(ascii: "\n")]),
            let line = socket.line(limit: ServiceClient.longestLine),
            let response: ControlResponse = JSONLine.decode(line), response.ok
        else { return false }
        var view = HouseView()
        guard read(Set(HouseView.Reading.allCases), into: &view) else { return false }
        tell(.view(view))
        while let line = socket.line(limit: ServiceClient.longestLine) {
            guard let event: ControlEvent = JSONLine.decode(line) else { continue }
            let before = view
            guard read(view.take(event, at: Self.now), into: &view) else { break }
            if view != before { tell(.view(view)) }
            tell(.event(event))
        }
        return true
    }

    /// Reads anew what is asked for; false when the service does not answer.
    private func read(_ readings: Set<HouseView.Reading>, into view: inout HouseView) -> Bool {
        do {
            if readings.contains(.rooms) {
                view.take(levels: try client.answer(to: ControlRequest(.levels(room: nil))))
            }
            if readings.contains(.groups) {
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
