import TuttiAssets
import TuttiCore
import TuttiProduction
import TuttiRooms

/// What the reader of pictures works on.
struct PlayerPictures {
    private var maker: (any PictureMaking)?
    /// What it was told last; nil while it has nothing to do.
    private var work: PictureWork?
    /// The number of the newest work.
    private(set) var serial = 0
    /// Bytes that have come of that.
    private var made = 0

    /// Coded pictures that are held, in bytes.
    private static let maximumBytes = 256 << 20
    /// A track that begins elsewhere by less than this has its pictures where they are: its start is rounded to a frame
    /// once it is opened.
    private static let tolerance = MediaTime(frame: 1, sampleRate: 1_000)

    var isRunning: Bool { maker != nil }
    var isWorking: Bool { work != nil }

    mutating func start(_ maker: any PictureMaking) { self.maker = maker }

    /// From where on other pictures are wanted than it reads by what it was told; nil where they are the same, and while it
    /// has nothing to do.
    func firstDifference(from spans: [PictureSpan]) -> MediaTime? {
        guard let work else { return nil }
        var known = work.spans[...]
        if let first = spans.first { known = known.drop { $0.serial < first.serial } }
        for (old, new) in zip(known, spans) where !Self.isSame(old, new) { return min(old.start, new.start) }
        return known.count > spans.count ? known[known.startIndex + spans.count].start : nil
    }

    private static func isSame(_ left: PictureSpan, _ right: PictureSpan) -> Bool {
        func isNear(_ left: MediaTime, _ right: MediaTime) -> Bool {
            max(left, right) - min(left, right) <= tolerance
        }
        return left.serial == right.serial && left.rate == right.rate && isNear(left.start, right.start)
            && isNear(left.offset, right.offset)
    }

    /// Has it read these tracks as far as `limit`.
    ///
    /// - Parameters:
    ///   - from: where it begins anew; nil to go on.
    ///   - held: bytes of pictures that are held.
    mutating func follow(_ spans: [PictureSpan], from: MediaTime?, limit: MediaTime, held: Int) {
        if from != nil { (serial, made) = (serial + 1, 0) }
        let next = PictureWork(
            serial: serial, spans: spans, from: from ?? work?.from ?? .zero, limit: limit,
            bytes: made + max(0, Self.maximumBytes - held))
        guard next != work else { return }
        work = next
        maker?.take(next)
    }

    /// Takes note of what has come.
    ///
    /// - Returns: whether it is of the newest work.
    mutating func take(_ batch: PictureBatch, serial: Int) -> Bool {
        guard self.serial == serial, work != nil else { return false }
        made += batch.pictures.reduce(0) { $0 + $1.data.count }
        return true
    }

    /// Has it rest: nobody wants pictures.
    mutating func rest() {
        (work, serial) = (nil, serial + 1)
    }

    mutating func stop() {
        maker?.stop()
        maker = nil
    }
}
