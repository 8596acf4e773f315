import CSDL
import Glibc
import Synchronization
import TuttiCore
package import TuttiHost

/// A window, or all of a display, that shows what a `ScreenPictures` is told. To be used on the main thread only.
///
/// SDL takes no signals, and opens no sound.
package final class ScreenWindow {
    /// How a step went.
    package enum Outcome: Sendable, Equatable {
        /// There is more to come.
        case open
        /// Somebody has closed the window.
        case closed
    }

    /// Times after which things are done, in ns.
    private enum Times {
        /// The window's events are looked at.
        static let events: Int64 = 100_000_000
        /// Refreshes are looked at again where nothing moves.
        static let rest: Int64 = 2_000_000_000
        /// A picture that stands so long does not move.
        static let moving: Int64 = 500_000_000
        /// The screen saver may come.
        static let playing: Int64 = 5_000_000_000
    }
    /// Swaps that keep the clock learned where nothing moves.
    private static let refresher = 6

    private let pictures: ScreenPictures
    private let clock: HostClock
    private let latency: Int64
    private let canvas: ScreenCanvas
    private let wakeUp: Int32
    private var refreshes: RefreshClock
    /// How long drawing takes.
    private var drawings = Durations(guess: 1_500_000)
    /// What drivers take besides, in ns: more after each refresh that was missed.
    private var reserve: Int64 = 0
    private var lastChange: HostTime
    private var lastRefresher: HostTime
    private var swapsToDo = 0
    private var isPlaying = false

    /// Opens the window.
    package init(_ settings: ScreenSettings, pictures: ScreenPictures, clock: HostClock) throws(ScreenError) {
        canvas = try ScreenCanvas(settings)
        (self.pictures, self.clock) = (pictures, clock)
        latency = min(max(settings.displayLatency, 0), 1_000_000_000)
        wakeUp = pictures.bell.takeReadingEnd()
        refreshes = RefreshClock(statedRate: canvas.statedRate, seed: UInt64(bitPattern: clock.now().nanoseconds))
        (lastChange, lastRefresher) = (clock.now(), clock.now())
    }

    deinit { close(wakeUp) }

    /// Shows pictures until the window is closed or `isOver` says so, which is asked some ten times a second at least.
    package func run(until isOver: () -> Bool) throws(ScreenError) -> Outcome {
        while !isOver() {
            if try step() == .closed { return .closed }
        }
        return .open
    }

    /// Waits for what is to be done next, at most 0.1 s, and does it.
    package func step() throws(ScreenError) -> Outcome {
        for event in canvas.takeEvents() {
            switch event {
            case .closed: return .closed
            case .otherDisplay: refreshes.restart(statedRate: canvas.statedRate)
            case .damaged: pictures.state.withLock { $0.needsDrawing = true }
            }
        }
        let now = clock.now()
        let (next, isDamaged) = pictures.state.withLock { state in
            ([state.pictures.nextInstant, state.overlays.nextInstant].compactMap { $0 }.min(), state.needsDrawing)
        }
        note(isPlaying: next != nil || now.nanoseconds(since: lastChange) < Times.playing)
        if !canvas.isVisible {
            _ = choose(light: now.advanced(byNanoseconds: latency))
            wait(until: now.advanced(byNanoseconds: Times.events))
        } else if isDamaged || wantsSwap(now, next) {
            try refresh(next)
        } else {
            wait(until: restEnd(now, next))
        }
        return .open
    }

    // MARK: Waiting

    /// About three refreshes before a picture the display is looked at refresh by refresh.
    private func approach(_ instant: HostTime) -> HostTime {
        instant.advanced(byNanoseconds: -latency - Int64(3 * refreshes.period))
    }

    private func wantsSwap(_ now: HostTime, _ next: HostTime?) -> Bool {
        if let next, approach(next) <= now { return true }
        switch refreshes.standing {
        case .learning: return true
        case .free: return false
        case .locked:
            // Only a driver that is never given a rest lets each swap wait alike.
            if now.nanoseconds(since: lastChange) < Times.moving { return true }
            if now.nanoseconds(since: lastRefresher) >= Times.rest { swapsToDo = Self.refresher }
            return swapsToDo > 0
        }
    }

    private func restEnd(_ now: HostTime, _ next: HostTime?) -> HostTime {
        min(now.advanced(byNanoseconds: Times.events), next.map(approach) ?? HostTime(nanoseconds: .max))
    }

    /// Waits until `time`, or until something is said.
    private func wait(until time: HostTime) {
        var descriptor = pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(clamping: clock.sleepInterval(until: time) / 1_000_000 + 1)
        guard poll(&descriptor, 1, milliseconds) > 0 else { return }
        var bytes: (UInt64, UInt64) = (0, 0)
        _ = read(wakeUp, &bytes, MemoryLayout.size(ofValue: bytes))
        pictures.bell.answer()
    }

    private func sleep(until time: HostTime) {
        let nanoseconds = clock.sleepInterval(until: time)
        // To sleep for no time would give the processor away.
        guard nanoseconds > 0 else { return }
        var interval = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        nanosleep(&interval, nil)
    }

    private func note(isPlaying: Bool) {
        guard isPlaying != self.isPlaying else { return }
        self.isPlaying = isPlaying
        canvas.allowsScreenSaver = !isPlaying
    }

    // MARK: Refreshes

    /// The next refresh, where `next` is the instant of the next picture.
    private func refresh(_ next: HostTime?) throws(ScreenError) {
        // What is damaged is drawn now, not with the next picture.
        let isUrgent = pictures.state.withLock { $0.needsDrawing }
        let refresh = refreshes.nextRefresh(
            after: clock.now(), usual: drawings.median, longest: drawings.longest + reserve,
            wanted: isUrgent ? nil : next?.advanced(byNanoseconds: -latency))
        sleep(until: refresh.drawing)
        let start = clock.now()
        let light = refresh.light.advanced(byNanoseconds: latency)
        let (content, isChanged) = choose(light: light)
        if isChanged { lastChange = start }
        if swapsToDo > 0 { (swapsToDo, lastRefresher) = (swapsToDo - 1, start) }
        guard isChanged || refreshes.standing != .free else { return }
        let isWhole = try canvas.draw(content)
        pictures.state.withLock { state in
            if !isWhole, isChanged { state.status.refusedFrames += 1 }
            state.areas = canvas.areas
        }
        if isChanged { drawings.add(clock.now().nanoseconds(since: start)) }
        sleep(until: refresh.handover)
        let handover = clock.now()
        canvas.swap()
        swapped(refresh, handover, clock.now())
    }

    /// What is seen at the refresh that comes to light at `light`, and whether that is something else than before.
    private func choose(light: HostTime) -> (content: ScreenPictures.Content, isChanged: Bool) {
        let period = refreshes.period
        return pictures.state.withLock { state in
            let waited = state.pictures.waitingCount + state.overlays.waitingCount
            let content = ScreenPictures.Content(
                picture: state.pictures.choose(light: light, period: period),
                overlays: state.overlays.choose(light: light, period: period) ?? [])
            let isChanged = state.pictures.waitingCount + state.overlays.waitingCount != waited || state.needsDrawing
            state.needsDrawing = false
            return (content, isChanged)
        }
    }

    private func swapped(_ refresh: RefreshClock.Refresh, _ handover: HostTime, _ returned: HostTime) {
        refreshes.swapped(handedOver: handover, returned: returned)
        let light = refreshes.light(ofReturn: returned)
        let isMissed =
            refreshes.standing != .learning
            && Double(light.nanoseconds(since: refresh.light)) > refreshes.period / 2
        pictures.state.withLock { state in
            state.pictures.lit(at: light.advanced(byNanoseconds: latency), period: refreshes.period)
            state.overlays.lit(at: light.advanced(byNanoseconds: latency), period: refreshes.period)
            if isMissed { state.status.missedRefreshes += 1 }
            (state.status.standing, state.status.jitter) = (refreshes.standing, refreshes.jitter)
            state.status.refreshRate = 1e9 / refreshes.period
        }
        // A driver may do in the swap what drawing has asked for.
        guard refreshes.standing == .locked else { return reserve = 0 }
        reserve = isMissed ? min(reserve + 500_000, Int64(refreshes.period / 3)) : reserve - reserve / 1_024
    }
}
