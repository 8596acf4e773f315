import Dispatch
import Synchronization
public import TuttiCore
import TuttiHost

/// The clock that a synchronizer and its renderers run on: this host's, or that of an offline output.
///
/// The host's is `CLOCK_MONOTONIC_RAW`. An offline output's stands still between two calls of `render`, and what is due
/// by it happens inside them, in order.
public final class PlaybackClock: Sendable {
    /// This host's clock.
    public static let system = PlaybackClock(manualStart: nil)

    private struct Call: Sendable {
        let number: UInt64
        let due: HostTime
        let body: @Sendable () -> Void
    }

    private struct State {
        /// The calls to come, by time and then by age.
        var calls: [Call] = []
        var nextNumber: UInt64 = 0
        /// The time, for a manual clock.
        var manualNow: HostTime?
        /// What the timer is set for; nil while it is not set.
        var armed: HostTime?
        var armedNumber: UInt64 = 0
    }

    let hostClock = HostClock()
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "tutti.clock")

    /// A clock that stands at `manualStart` until it is moved; with nil, this host's.
    init(manualStart: HostTime?) {
        isManual = manualStart != nil
        state = Mutex(State(manualNow: manualStart))
    }

    /// Whether the clock stands still unless it is moved.
    let isManual: Bool

    /// The time now.
    public func now() -> HostTime { state.withLock { $0.manualNow } ?? hostClock.now() }

    /// Calls `body` once `due` has come, from a queue of the clock's or, for an offline output, inside `render`.
    ///
    /// - Returns: what to cancel it by.
    @discardableResult
    package func schedule(at due: HostTime, _ body: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            let number = state.nextNumber
            state.nextNumber += 1
            let index = state.calls.firstIndex { $0.due > due } ?? state.calls.endIndex
            state.calls.insert(Call(number: number, due: due, body: body), at: index)
            arm(&state)
            return number
        }
    }

    /// Calls `body` as soon as can be.
    package func soon(_ body: @escaping @Sendable () -> Void) { schedule(at: now(), body) }

    /// Forgets a call that has not been made yet.
    package func cancel(_ number: UInt64?) {
        guard let number else { return }
        state.withLock { $0.calls.removeAll { $0.number == number } }
    }

    /// The next call to come; nil without one.
    var deadline: HostTime? { state.withLock { $0.calls.first?.due } }

    /// Moves a manual clock to `time`, and makes what is due by then happen at its time.
    func advance(to time: HostTime) {
        while let call = takeDue(by: time) {
            state.withLock { $0.manualNow = max($0.manualNow ?? time, call.due) }
            call.body()
        }
        state.withLock { $0.manualNow = max($0.manualNow ?? time, time) }
    }

    private func takeDue(by time: HostTime) -> Call? {
        state.withLock { state in
            guard let first = state.calls.first, first.due <= time else { return nil }
            return state.calls.removeFirst()
        }
    }

    /// Sets the timer for the first call, unless it is set for that or an earlier time.
    private func arm(_ state: inout State) {
        guard state.manualNow == nil, let first = state.calls.first?.due else { return }
        if let armed = state.armed, armed <= first { return }
        state.armed = first
        state.armedNumber += 1
        let number = state.armedNumber
        let wait = min(max(0, first.nanoseconds(since: hostClock.now())), 3_600_000_000_000)
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait))) { [weak self] in self?.fire(number) }
    }

    private func fire(_ number: UInt64) {
        let isCurrent = state.withLock { state in
            guard state.armedNumber == number else { return false }
            state.armed = nil
            return true
        }
        guard isCurrent else { return }
        while let call = takeDue(by: hostClock.now()) { call.body() }
        state.withLock { arm(&$0) }
    }
}
