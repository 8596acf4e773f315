import Dispatch
import Synchronization

/// A card that several rooms have open, each for channels of its own: an eight-channel interface plays in four rooms.
///
/// Each room writes at its own pace into a ring, on a thread of its own; whoever completes a period hands it to the card,
/// so nothing is later than on a card of one's own. A room that is late costs nobody else anything: when the card has no
/// more than a period left, what is there goes out, with silence on the late room's channels.
///
/// The card is used under a lock, which inherits priority and is held for a copy of a period and a call of the driver.
package final class SharedCard: Sendable {
    /// How long a part waits for another's word, in ns.
    private static let longestWait: Int64 = 1_000_000_000

    /// What a room that waits is to do.
    enum Readiness {
        case done(OutputWait)
        /// The card is full of what all have written: wait for it. It does so for all.
        case awaitCard
        /// Another one waits for the card, and wakes this one.
        case awaitWake
        /// Others have yet to write. In so many ns it is time to look again.
        case awaitOthers(Int64)
    }

    /// Memory that is read under the lock and not kept.
    private struct Lent: @unchecked Sendable { let bytes: UnsafeRawBufferPointer }

    /// What the whole card does.
    let actual: OutputParameters
    /// For waiting without the lock.
    let sleeper: any OutputSleeper
    private let state: Mutex<CardState>
    /// Of each part. Only one part waits for the card: many plugins tell one thread, whoever else waits.
    private let wakes = OutputParameters.channelCounts.map { _ in DispatchSemaphore(value: 0) }

    /// Shares `device` out, which is open and has not been started.
    package init(_ device: sending any OutputDevice) {
        (actual, sleeper) = (device.actual, device.sleeper)
        state = Mutex(CardState(device))
    }

    /// Takes another room in, whose part does not play yet.
    ///
    /// - Throws: `OutputError` when the card is lost, lacks the channels or plays another room on one of them.
    func attach(_ range: ChannelRange, device: String) throws(OutputError) -> Int {
        guard range.indices.upperBound <= actual.channelCount else {
            throw .invalidDevice(device: device, reason: "the card has \(actual.channelCount) channels")
        }
        return try state.withLock { state throws(OutputError) in try state.attach(range, device: device) }
    }

    /// Closes a card that no room has a part of.
    func close() { state.withLock { $0.close() } }

    /// A room is done with its part.
    ///
    /// - Returns: whether it was the last, and the card is closed.
    func detach(_ part: Int) -> Bool { state.withLock { $0.detach(part) } }

    /// Why the card was lost; nil while it was not.
    var failure: OutputError? { state.withLock { $0.failure } }

    /// Begins a run of a part, and of the card if that is the first.
    func start(_ part: Int) throws(OutputError) {
        try state.withLock { state throws(OutputError) in try state.start(part) }
    }

    /// Begins another run of a part; of the card, if that has run dry.
    func recover(_ part: Int, silence: Int) throws(OutputError) {
        try state.withLock { state throws(OutputError) in try state.recover(part, silence: silence) }
    }

    /// Waits until a part can write a period, or has stopped, but no longer than `nanoseconds`.
    func wait(_ part: Int, nanoseconds: Int64) -> OutputWait {
        let (deadline, isFar) = sleeper.now().addingReportingOverflow(max(nanoseconds, 0))
        while true {
            let readiness = state.withLock { $0.readiness(of: part) }
            if case .done(let outcome) = readiness { return outcome }
            let left = isFar ? Int64.max : max(deadline - sleeper.now(), 0)
            switch readiness {
            case .awaitCard:
                sleeper.awaitRoom(nanoseconds: left)
                wake(state.withLock { $0.cardWoke() })
            case .awaitWake:
                _ = wakes[part].wait(timeout: .now() + .nanoseconds(Int(min(left, Self.longestWait))))
            case .awaitOthers(let time): sleeper.pause(nanoseconds: min(time, left))
            case .done: break
            }
            if left == 0 { return .timeout }
        }
    }

    private func wake(_ parts: UInt32) {
        for part in wakes.indices where parts & 1 << UInt32(part) != 0 { wakes[part].signal() }
    }

    /// Where a part stands; nil when it is not running. RT.
    func timing(of part: Int) -> OutputTiming? { state.withLock { $0.timing(of: part) } }

    /// Takes frames for a part. RT.
    ///
    /// - Returns: as `OutputDevice.write`.
    func write(_ bytes: UnsafeRawBufferPointer, frames: Int, to part: Int) -> Int {
        let lent = Lent(bytes: bytes)
        return state.withLock { $0.write(lent.bytes, frames: frames, to: part) }
    }
}
