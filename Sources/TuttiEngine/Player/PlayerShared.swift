import Synchronization

/// What both sides of a player touch.
struct PlayerShared: ~Copyable {
    /// Entries that are to be played; the pointers own them.
    let schedule = PointerRing(capacity: 2 * PlayerNode.maximumScheduleCount)
    /// Entries that are over.
    let finished = PointerRing(capacity: 4 * PlayerNode.maximumScheduleCount)
    /// Whether it is to play.
    let plays = Atomic<Bool>(false)
    /// The node's time at which it is to begin; `Int64.min` at once.
    let start = Atomic<Int64>(.min)
    /// Entries with lower serials are stopped, and the player's time begins anew.
    let stopSerial = Atomic<Int>(0)
    /// How often it was stopped.
    let stops = Atomic<Int>(0)
    /// The node's time less the player's; `Int64.min` while it does not play.
    let offset = Atomic<Int64>(.min)
    /// The player's time.
    let time = Atomic<Int64>(0)
    /// Frames that were not there in time.
    let missingFrames = Atomic<Int>(0)

    /// Releases what is in the queues. Only while nothing renders.
    func releaseEntries() {
        while let entry = schedule.pop() { Unmanaged<PlayerEntry>.fromOpaque(entry).release() }
        while let entry = finished.pop() { Unmanaged<PlayerEntry>.fromOpaque(entry).release() }
    }
}
