package import TuttiCore
import TuttiRooms
package import TuttiSchema
import TuttiWire

/// What holds for a group's rooms together, whatever kind each is.
extension [any GroupRoom] {
    /// Whether a paused playback can resume from what the rooms have ready.
    package var canResume: Bool {
        let present = filter(\.isUp)
        return !present.contains(where: \.isOutdated)
            && present.contains { [.playing, .paused, .primed].contains($0.playback) }
    }

    /// Whether the rooms that are up, one at least, have played the timeline to its end.
    package var haveEnded: Bool {
        let present = filter(\.isUp)
        return !present.isEmpty && present.allSatisfy { $0.playback == .ended }
    }

    /// Seconds that the shallowest room can buffer; nil while none is up.
    package var leastDepth: Double? { compactMap { $0.isUp ? $0.bufferSeconds : nil }.min() }

    /// What all rooms that are up buffer, on the timeline.
    ///
    /// - Parameter exact: corrects a range that a room reports.
    package func commonlyLoaded(_ exact: (TimeRange) -> TimeRange) -> [TimeRange] {
        let loaded = filter(\.isUp).map { $0.loaded.map(exact) }
        guard var common = loaded.first else { return [] }
        for ranges in loaded.dropFirst() {
            common = common.flatMap { range in ranges.compactMap { $0.intersection(range) } }
        }
        return common
    }

    /// Sets the volume of each room.
    ///
    /// - Parameters:
    ///   - keepsBalance: whether a step keeps the balance between them, beyond the ends of the scale too.
    ///   - rampMs: milliseconds of the way there, 0 … 10 000.
    ///   - unmutes: whether muted rooms sound again.
    package func setVolume(_ change: VolumeChange, keepsBalance: Bool, rampMs: Double, unmutes: Bool) {
        var balances = [Double?](repeating: nil, count: count)
        let change = keepsBalance ? change.resolved(loudest: map(\.loudness.balancedPercent).max()) : change
        if keepsBalance, case .by(let step) = change {
            balances = VolumeBalance.moved(
                map(\.loudness.balancedPercent), by: step, within: map(\.loudness.range))
        }
        precondition(balances.count == count, "each room has a balance")
        for (room, balance) in zip(self, balances) {
            let level = room.loudness.level
            let percent = balance.map { Swift.min(Swift.max($0, 0), 100) } ?? change.applied(to: level.percent)
            room.setLoudness(
                VolumeCommand(percent: percent, isMuted: level.isMuted && !unmutes, rampMs: rampMs), balance: balance)
        }
    }
}
