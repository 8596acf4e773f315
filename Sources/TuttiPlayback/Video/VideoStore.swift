package import TuttiCore

/// Pictures as they were enqueued, in decoding order. A picture has a number that stays when others are dropped.
package struct VideoStore: Sendable {
    /// A picture to be decoded, or one that is.
    package enum Picture: Sendable {
        case coded(VideoSampleBuffer)
        case decoded(VideoFrame)

        package var presentationTime: MediaTime {
            switch self {
            case .coded(let buffer): buffer.presentationTime
            case .decoded(let frame): frame.presentationTime
            }
        }

        /// Whether decoding can begin with it.
        package var isSync: Bool {
            if case .coded(let buffer) = self { buffer.isSync } else { true }
        }

        /// Bytes of memory.
        package var byteCount: Int {
            switch self {
            case .coded(let buffer): buffer.data.count
            // Three bytes a pixel are more than most have.
            case .decoded(let frame): frame.width * frame.height * 3
            }
        }
    }

    /// Pictures that were dropped at the front are given back when there are so many.
    private static let slack = 256

    private var pictures: [Picture] = []
    /// How many of `pictures` have been dropped.
    private var dropped = 0
    /// The number of the first of `pictures`.
    private var base = 0
    /// Numbers of the sync pictures that are held, in order.
    private var syncs: [Int] = []
    /// Bytes that are held.
    package private(set) var byteCount = 0
    /// The latest time of all that was appended and not taken back; nil before that.
    package private(set) var latestTime: MediaTime?

    /// A store of nothing.
    package init() {}

    /// The number of the first picture that is held, and of the one that comes next.
    package var numbers: Range<Int> { base + dropped..<base + pictures.count }

    package mutating func append(_ picture: Picture) {
        if picture.isSync { syncs.append(numbers.upperBound) }
        pictures.append(picture)
        byteCount += picture.byteCount
        latestTime = max(latestTime ?? picture.presentationTime, picture.presentationTime)
    }

    package subscript(_ number: Int) -> Picture { pictures[number - base] }

    /// Drops everything.
    package mutating func removeAll() { self = VideoStore(base: numbers.upperBound) }

    private init(base: Int) { self.base = base }

    /// Drops the first picture whose time is `time` or later, and what was appended behind it.
    ///
    /// - Returns: the number of that picture; nil when there is none.
    package mutating func cut(from time: MediaTime) -> Int? {
        guard let index = pictures[dropped...].firstIndex(where: { $0.presentationTime >= time }) else { return nil }
        for picture in pictures[index...] { byteCount -= picture.byteCount }
        pictures.removeSubrange(index...)
        latestTime = pictures[dropped...].map(\.presentationTime).max()
        let number = base + index
        syncs.removeAll { $0 >= number }
        return number
    }

    /// The last sync picture whose time is `time` or before it: they follow each other by their times.
    ///
    /// - Complexity: O(log n): in some films each picture is one.
    package func sync(before time: MediaTime) -> Int? {
        var (low, high) = (0, syncs.count)
        while low < high {
            let middle = (low + high) / 2
            if self[syncs[middle]].presentationTime <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? syncs[low - 1] : nil
    }

    /// The first sync picture that is held.
    package var firstSync: Int? { syncs.first }

    /// Drops what is before a picture.
    package mutating func remove(before number: Int) {
        let end = min(max(number, numbers.lowerBound), numbers.upperBound)
        guard end > numbers.lowerBound else { return }
        for passed in numbers.lowerBound..<end { byteCount -= self[passed].byteCount }
        dropped = end - base
        syncs.removeAll { $0 < end }
        guard dropped >= Self.slack else { return }
        pictures.removeFirst(dropped)
        (base, dropped) = (base + dropped, 0)
    }
}
