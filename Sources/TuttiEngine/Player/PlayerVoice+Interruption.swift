/// Entries that cut off what is before them.
extension PlayerVoice {
    /// The player's time at which an entry of the schedule interrupts; nil when none does.
    mutating func interruptionTime() -> Int64? {
        if let place = interruption, place < shared.pointee.schedule.readIndex { forgetInterruption() }
        scanned = max(scanned, shared.pointee.schedule.readIndex)
        while let entry = shared.pointee.schedule.peek(scanned) {
            let (interrupts, start) = Unmanaged<PlayerEntry>.fromOpaque(entry)._withUnsafeGuaranteedRef {
                ($0.interrupts, $0.start)
            }
            // One that interrupts at once comes before any that wait.
            if interrupts, interruption == nil || start == nil { interruption = scanned }
            scanned += 1
        }
        guard let place = interruption, let entry = shared.pointee.schedule.peek(place) else { return nil }
        return Unmanaged<PlayerEntry>.fromOpaque(entry)._withUnsafeGuaranteedRef { $0.start ?? .min }
    }

    /// Drops everything before the entry that interrupts, and begins that.
    ///
    /// - Parameter engineTime: now.
    mutating func interrupt(_ engineTime: Int64, _ channels: Int, _ fade: Int) {
        guard let place = interruption else { return }
        cut(channels, fade)
        finish(at: engineTime)
        while shared.pointee.schedule.readIndex < place, let entry = shared.pointee.schedule.pop() {
            retire(entry, at: engineTime)
        }
        current = shared.pointee.schedule.pop()
        position = 0
        forgetInterruption()
    }

    private mutating func forgetInterruption() {
        interruption = nil
        scanned = shared.pointee.schedule.readIndex
    }
}
