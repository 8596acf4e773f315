package import TuttiCore
import TuttiWire

/// The encoded timeline, once for all rooms: the packets from a while before the playhead to as far ahead as the
/// deepest speaker buffers.
///
/// Packets have indices that stay theirs while the front is trimmed, so that each feeder keeps a cursor.
package struct PacketLog {
    /// One packet.
    package struct Entry: Sendable {
        /// The audio.
        package let buffer: SampleBuffer
        /// The number of its format.
        package let formatID: UInt16

        /// An entry.
        package init(buffer: SampleBuffer, formatID: UInt16) {
            self.buffer = buffer
            self.formatID = formatID
        }
    }

    /// A log without packets.
    package init() {}

    private var entries = NumberedList<Entry>()
    /// Payload bytes held.
    package private(set) var byteCount = 0

    /// The index of the first packet held.
    package var firstIndex: Int { entries.firstIndex }
    /// The index that the next packet will get.
    package var endIndex: Int { entries.endIndex }
    /// Whether no packet is held.
    package var isEmpty: Bool { entries.isEmpty }

    /// Where the audio held begins.
    package var start: MediaTime? { self[firstIndex]?.buffer.presentationTime }
    /// Where the audio held ends.
    package var end: MediaTime? { self[endIndex - 1]?.buffer.timeRange.end }

    /// The packet with this index, if it is held.
    package subscript(index: Int) -> Entry? { entries[index] }

    /// Adds the packet that follows the last one.
    package mutating func append(_ entry: Entry) {
        entries.append(entry)
        byteCount += entry.buffer.byteCount
        checkCounts()
    }

    /// Forgets everything; indices keep counting.
    package mutating func removeAll() {
        entries.removeAll()
        byteCount = 0
    }

    /// Forgets the packets that begin at `time` or later; the next one appended gets the index of the first of them.
    ///
    /// - Returns: that index.
    /// - Complexity: O(removed).
    package mutating func cut(from time: MediaTime) -> Int {
        while let last = self[endIndex - 1], last.buffer.presentationTime >= time {
            byteCount -= last.buffer.byteCount
            entries.removeLast()
        }
        checkCounts()
        return endIndex
    }

    /// Forgets packets that end at or before `time`, always keeping those from index `limit` on.
    ///
    /// - Complexity: O(removed), amortised.
    package mutating func trim(before time: MediaTime, keepingFrom limit: Int) {
        while firstIndex < limit, let first = self[firstIndex], first.buffer.timeRange.end <= time {
            byteCount -= first.buffer.byteCount
            entries.removeFirst()
        }
        checkCounts()
    }

    /// What holds after every change.
    private func checkCounts() {
        precondition(firstIndex <= endIndex, "a log has given up packets that it never had")
        precondition(isEmpty ? byteCount == 0 : byteCount >= 0, "a log has miscounted its bytes")
    }

    /// The index of the first packet that ends after `time`; `endIndex` when there is none.
    ///
    /// - Complexity: O(log n).
    package func index(at time: MediaTime) -> Int { entries.partition { $0.buffer.timeRange.end > time } }

    /// The index of the first packet that a decoder is to hear so that it is right at the audio at `time`.
    package func entrance(at time: MediaTime) -> Int { lead(of: index(at: time)) }

    private func lead(of index: Int) -> Int {
        var index = index
        guard let entry = self[index] else { return index }
        let earliest = entry.buffer.presentationTime - entry.buffer.format.codec.preroll
        while self[index]?.buffer.preroll == nil, let before = self[index - 1], before.formatID == entry.formatID,
            before.buffer.timeRange.end > earliest
        {
            index -= 1
        }
        return index
    }

    /// The packet at `index` for a room that has not been sent the one before. It carries pre-roll packets, which the
    /// room decodes and does not play, so that what the room buffers up to there stays as it is.
    package func entering(at index: Int) -> SampleBuffer? {
        guard let buffer = self[index]?.buffer else { return nil }
        let first = lead(of: index)
        guard buffer.preroll == nil, first < index else { return buffer }
        let earlier = (first..<index).compactMap { self[$0]?.buffer }
        let packets =
            (earlier.first?.preroll ?? [])
            + earlier.compactMap { PrerollPacket(frameCount: $0.frameCount, data: $0.data) }
        var bytes = 0
        let newest = packets.suffix(WireLimits.prerollPackets).reversed().prefix { packet in
            bytes += packet.data.count
            return bytes <= WireLimits.prerollBytes
        }
        return SampleBuffer(
            format: buffer.format, presentationTime: buffer.presentationTime, frameCount: buffer.frameCount,
            trimAtStart: buffer.trimAtStart, trimAtEnd: buffer.trimAtEnd, data: buffer.data,
            preroll: newest.reversed())
    }

    /// Whether the audio at `time` is held.
    ///
    /// - Complexity: O(log n).
    package func contains(_ time: MediaTime) -> Bool {
        self[index(at: time)]?.buffer.timeRange.contains(time) ?? false
    }
}
