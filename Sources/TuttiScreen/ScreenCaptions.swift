import Dispatch
import Synchronization
package import TuttiCore
package import TuttiHost

/// Texts above the pictures of a screen: taken by any thread, and drawn by one of its own a little before their
/// instants, since a script may take long to draw.
package final class ScreenCaptions: CaptionSink {
    private struct State {
        var orders: [CaptionOrder] = []
        /// What images among them take, in bytes.
        var heldBytes = 0
        var lines: [PictureLine] = []
        var isOver = false
    }

    /// What may wait for the thread: more is left out.
    private static let (maximumOrders, maximumBytes) = (16_384, 64 << 20)
    /// Lines of sound and clock move all the time by less than anybody sees of a text, in ns.
    private static let tolerance: Int64 = 2_000_000

    private let screen: ScreenPictures
    private let clock: HostClock
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// Texts on a screen. Nothing is drawn before `run`.
    package init(_ screen: ScreenPictures, clock: HostClock) { (self.screen, self.clock) = (screen, clock) }

    /// Starts the thread; it ends after `stop`.
    ///
    /// - Throws: `HostError.system` when the system gives no thread.
    package func run() throws(HostError) {
        _ = try RealtimeThread.spawn(name: "tutti-captions", priority: nil) { self.loop() }
    }

    /// Ends for good.
    package func stop() {
        state.withLock { $0.isOver = true }
        wake.signal()
    }

    package func insert(_ caption: Caption) { give(.insert(caption)) }

    package func flush(from time: MediaTime?) { give(.flush(time)) }

    package func follow(_ lines: [PictureLine]) {
        let isNew = state.withLock { state in
            guard !Self.areSame(state.lines, lines) else { return false }
            state.lines = lines
            return true
        }
        if isNew { wake.signal() }
    }

    private func give(_ order: CaptionOrder) {
        state.withLock { state in
            let bytes = order.heldBytes
            guard state.orders.count < Self.maximumOrders, state.heldBytes + bytes <= Self.maximumBytes else { return }
            state.orders.append(order)
            state.heldBytes += bytes
        }
        wake.signal()
    }

    private static func areSame(_ left: [PictureLine], _ right: [PictureLine]) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { left, right in
                left.rate == right.rate && left.media == right.media
                    && left.instant.nanoseconds(since: right.instant).magnitude < tolerance
            }
    }

    // MARK: The thread

    private func loop() {
        var drawing = CaptionDrawing()
        while true {
            let (orders, lines, isOver) = state.withLock { state in
                defer { (state.orders, state.heldBytes) = ([], 0) }
                return (state.orders, state.lines, state.isOver)
            }
            if isOver { return }
            let due = drawing.draw(orders, lines: lines, areas: screen.areas, now: clock.now())
            for picture in due.pictures { screen.show(picture.overlays, atHostTime: picture.instant) }
            guard let next = due.next else {
                wake.wait()
                continue
            }
            let wait = max(1_000_000, clock.sleepInterval(until: next))
            _ = wake.wait(timeout: .now() + .nanoseconds(Int(clamping: wait)))
        }
    }
}
