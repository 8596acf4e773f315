package import TuttiCore

/// The coded pictures of the timeline, once for all screens, in the order in which they are decoded.
///
/// As in `PacketLog` a picture's index stays its own while the front is trimmed.
package struct PictureLog {
    /// One picture.
    package struct Entry: Sendable {
        package let picture: VideoSampleBuffer
        /// The number of its format.
        package let formatID: UInt16
        /// Whether it takes the place of all pictures from its time on.
        package let beginsAnew: Bool

        package init(picture: VideoSampleBuffer, formatID: UInt16, beginsAnew: Bool) {
            self.picture = picture
            self.formatID = formatID
            self.beginsAnew = beginsAnew
        }
    }

    private var entries = NumberedList<Entry>()
    /// Bytes of coded pictures held.
    package private(set) var byteCount = 0

    /// A log without pictures.
    package init() {}

    /// The index of the first picture held.
    package var firstIndex: Int { entries.firstIndex }
    /// The index that the next picture will get.
    package var endIndex: Int { entries.endIndex }

    /// The picture with this index, if it is held.
    package subscript(index: Int) -> Entry? { entries[index] }

    /// Adds the picture that is decoded after the last one.
    package mutating func append(_ entry: Entry) {
        entries.append(entry)
        byteCount += entry.picture.data.count
    }

    /// Forgets the first picture whose time is `time` or later and all behind it, or everything.
    package mutating func cut(from time: MediaTime?) {
        guard let time else {
            entries.removeAll()
            byteCount = 0
            return
        }
        let first = (firstIndex..<endIndex).first { self[$0].map { $0.picture.presentationTime >= time } ?? false }
        while let first, endIndex > first, let last = entries.removeLast() { byteCount -= last.picture.data.count }
    }

    /// Forgets what nobody needs who begins at `time` or later.
    package mutating func trim(before time: MediaTime) {
        guard let entrance = sync(before: time) else { return }
        while firstIndex < entrance, let first = entries.removeFirst() { byteCount -= first.picture.data.count }
    }

    /// The index of the picture that a decoder is to begin with so that it is right at `time`; `endIndex` where nothing is
    /// held.
    ///
    /// - Complexity: O(n).
    package func entrance(at time: MediaTime) -> Int {
        sync(before: time) ?? (firstIndex..<endIndex).first { self[$0]?.picture.isSync ?? false } ?? endIndex
    }

    /// The last sync picture whose time is `time` or before it.
    private func sync(before time: MediaTime) -> Int? {
        (firstIndex..<endIndex).last { index in
            self[index].map { $0.picture.isSync && $0.picture.presentationTime <= time } ?? false
        }
    }
}
