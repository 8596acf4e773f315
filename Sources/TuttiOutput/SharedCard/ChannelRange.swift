/// Some channels of a card, next to each other, as a name of a device has them after `#`: `hw:1,0#3-4`, or `hw:1,0#3`
/// for one.
package struct ChannelRange: Sendable, Hashable {
    /// Counted from 0, as they lie in a frame.
    package let indices: Range<Int>
    /// The card itself.
    package let card: String

    /// Nil for a name that asks for no channels.
    ///
    /// - Throws: `OutputError.invalidDevice` for channels that no card has.
    package init?(parsing device: String) throws(OutputError) {
        guard let mark = device.lastIndex(of: "#") else { return nil }
        let numbers = device[device.index(after: mark)...].split(separator: "-", omittingEmptySubsequences: false)
        // Other names may have the mark too, as a file's.
        guard numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        let channels = numbers.compactMap { Int($0) }.filter(OutputParameters.channelCounts.contains)
        guard channels.count == numbers.count, channels.count <= 2, let first = channels.first,
            let last = channels.last,
            first <= last, mark != device.startIndex
        else {
            throw .invalidDevice(
                device: device,
                reason: "channels are written as in hw:1,0#3-4, from 1 to \(OutputParameters.channelCounts.upperBound)")
        }
        (indices, card) = (first - 1..<last, String(device[..<mark]))
    }

    /// Whether two devices are one card, of which both want a channel that there is once. Names without channels can be
    /// of something that several may have open at a time.
    package static func collide(_ first: String, _ second: String) -> Bool {
        let ranges = [first, second].map { name in (try? ChannelRange(parsing: name)) ?? nil }
        guard (ranges[0]?.card ?? first) == (ranges[1]?.card ?? second) else { return false }
        guard let one = ranges[0], let other = ranges[1] else { return ranges.contains { $0 != nil } }
        return one.indices.overlaps(other.indices)
    }
}
