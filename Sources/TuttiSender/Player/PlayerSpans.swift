import TuttiAssets
import TuttiCore
import TuttiProduction
import TuttiRooms

/// What a reader of pictures, or of the texts above them, works on.
struct PlayerSpans {
    /// What is read.
    enum Content {
        case pictures
        case captions

        /// Bytes that are held.
        var maximumBytes: Int {
            switch self {
            case .pictures: 256 << 20
            case .captions: 16 << 20
            }
        }
    }

    private let content: Content
    private var maker: (any SpanMaking)?
    /// What it was told last; nil while it has nothing to do.
    private var work: SpanWork?
    /// The number of the newest work.
    private(set) var serial = 0
    /// Bytes that have come of that.
    private var made = 0

    /// A track that begins elsewhere by less than this has its pictures where they are: its start is rounded to a frame
    /// once it is opened.
    private static let tolerance = MediaTime(frame: 1, sampleRate: 1_000)

    init(_ content: Content) { self.content = content }

    var isRunning: Bool { maker != nil }
    var isWorking: Bool { work != nil }

    /// Starts it unless it runs.
    ///
    /// - Parameter make: gives a reader that runs, or nil where there is none.
    /// - Returns: whether it runs.
    mutating func start(_ make: () throws(SenderError) -> (any SpanMaking)?) -> Bool {
        if maker == nil { maker = try? make() }
        return maker != nil
    }

    /// From where on other pictures are wanted than it reads by what it was told; nil where they are the same, and while it
    /// has nothing to do.
    func firstDifference(from spans: [PictureSpan]) -> MediaTime? {
        guard let work else { return nil }
        var known = work.spans[...]
        if let first = spans.first { known = known.drop { $0.serial < first.serial } }
        for (old, new) in zip(known, spans) where !isSame(old, new) { return min(old.start, new.start) }
        return known.count > spans.count ? known[known.startIndex + spans.count].start : nil
    }

    private func isSame(_ left: PictureSpan, _ right: PictureSpan) -> Bool {
        func isNear(_ left: MediaTime, _ right: MediaTime) -> Bool {
            max(left, right) - min(left, right) <= Self.tolerance
        }
        return left.isSame(as: right) && left.rate == right.rate && isNear(left.start, right.start)
            && isNear(left.offset, right.offset)
            && (content == .pictures || left.subtitles == right.subtitles && left.card == right.card)
    }

    /// Has it read these tracks as far as `limit`.
    ///
    /// - Parameters:
    ///   - from: where it begins anew; nil to go on.
    ///   - held: bytes that are held of what it has read.
    mutating func follow(_ spans: [PictureSpan], from: MediaTime?, limit: MediaTime, held: Int) {
        if from != nil { (serial, made) = (serial + 1, 0) }
        let next = SpanWork(
            serial: serial, spans: spans, from: from ?? work?.from ?? .zero, limit: limit,
            bytes: made + max(0, content.maximumBytes - held))
        guard next != work else { return }
        work = next
        maker?.take(next)
    }

    /// Takes note of so many bytes that have come.
    ///
    /// - Returns: whether they are of the newest work.
    mutating func take(_ bytes: Int, serial: Int) -> Bool {
        guard self.serial == serial, work != nil else { return false }
        made += bytes
        return true
    }

    /// Has it rest: nobody wants what it reads.
    mutating func rest() {
        (work, serial) = (nil, serial + 1)
    }

    mutating func stop() {
        maker?.stop()
        maker = nil
    }
}
