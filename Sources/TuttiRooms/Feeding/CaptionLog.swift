import TuttiCore
package import TuttiWire

/// The texts above the timeline's pictures, once for all screens, in the order in which they were made.
package struct CaptionLog {
    private var entries = NumberedList<CaptionPacket>()
    /// Bytes that are held.
    package private(set) var byteCount = 0

    /// A log without texts.
    package init() {}

    /// The index of the first text held.
    package var firstIndex: Int { entries.firstIndex }
    /// The index that the next text will get.
    package var endIndex: Int { entries.endIndex }

    /// The text with this index, if it is held.
    package subscript(index: Int) -> CaptionPacket? { entries[index] }

    mutating func append(_ caption: CaptionPacket) {
        entries.append(caption)
        byteCount += caption.payloadBytes
    }

    /// Forgets the first text that begins at `time` or later and all behind it, or everything.
    mutating func cut(from time: MediaTime?) {
        guard let time else {
            entries.removeAll()
            byteCount = 0
            return
        }
        let first = (firstIndex..<endIndex).first { self[$0].map { $0.start >= time } ?? false }
        while let first, endIndex > first, let last = entries.removeLast() { byteCount -= last.payloadBytes }
    }

    /// Forgets the first texts as far as they are over at `time`.
    mutating func trim(before time: MediaTime) {
        while let first = self[firstIndex], first.end <= time {
            entries.removeFirst()
            byteCount -= first.payloadBytes
        }
    }

    /// The index of the first text that is not over at `time`.
    ///
    /// - Complexity: O(n).
    func entrance(at time: MediaTime) -> Int {
        (firstIndex..<endIndex).first { self[$0].map { $0.end > time } ?? false } ?? endIndex
    }
}
