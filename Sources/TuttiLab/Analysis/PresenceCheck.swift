import Foundation

/// Which parts of the song a room played at all, and where it fell silent.
struct PresenceCheck {
    /// A millisecond and ten, on the axis of true time.
    private static let fine = 48
    private static let coarse = 480
    /// Quieter parts of the song than this (−50 dB of full scale) cannot be told from a gap.
    private static let audible = 0.003

    let source: [Float]
    let room: RoomTrack
    let map: PlaybackMap

    /// The share of the song that the room played, 0 to 1, in blocks of 10 ms that look like the source's.
    func completeness() -> Double {
        let blocks = source.count / Self.coarse
        guard blocks > 0 else { return 0 }
        return Double((0..<blocks).count(where: { isPresent($0 * Self.coarse) })) / Double(blocks)
    }

    private func isPresent(_ media: Int) -> Bool {
        guard let range = place(media, Self.coarse) else { return false }
        let wanted = source[media..<media + Self.coarse]
        let level = RoomTrack.level(wanted)
        guard level > Self.audible / 10 else { return isCovered(range) }
        let played = room.samples[range]
        let product = zip(wanted, played).reduce(0) { $0 + Double($1.0) * Double($1.1) } / Double(Self.coarse)
        let likeness = product / max(1e-12, level * RoomTrack.level(played))
        return likeness > 0.5 || (level < Self.audible && isCovered(range))
    }

    /// Whether the card ran, but for a millisecond at either end.
    private func isCovered(_ range: Range<Int>) -> Bool {
        room.covers(range.lowerBound + Self.fine..<range.upperBound - Self.fine)
    }

    /// Silences of a millisecond and more between the first and the last sound of the room.
    func gaps(gain: Double) -> [ComparisonReport.Gap] {
        guard let audible = room.audible else { return [] }
        var found: [ComparisonReport.Gap] = []
        var open: (first: Int, count: Int)?
        for media in stride(from: 0, through: source.count - Self.fine, by: Self.fine) {
            let isSilent = isSilent(media, within: audible, gain: gain)
            if isSilent {
                open = (open?.first ?? media, (open?.count ?? 0) + 1)
            } else if let gap = open {
                found.append(
                    ComparisonReport.Gap(
                        mediaSeconds: Double(gap.first) / RoomTrack.rate, milliseconds: Double(gap.count)))
                open = nil
            }
        }
        return found
    }

    private func isSilent(_ media: Int, within audible: Range<Int>, gain: Double) -> Bool {
        let wanted = RoomTrack.level(source[media..<media + Self.fine])
        guard wanted > Self.audible, let center = map.center(ofMedia: Double(media)) else { return false }
        let start = Int(center.rounded())
        guard start >= audible.lowerBound, start + Self.fine <= audible.upperBound else { return false }
        return room.level(start..<start + Self.fine) < 0.03 * gain * wanted
    }

    private func place(_ media: Int, _ count: Int) -> Range<Int>? {
        guard let center = map.center(ofMedia: Double(media)) else { return nil }
        // The song's very ends may lie a sample outside of what was recorded.
        let start = max(0, min(room.samples.count - count, Int(center.rounded())))
        guard start >= 0, abs(Double(start) - center) < Double(Self.fine) else { return nil }
        return start..<start + count
    }
}
