/// What is written down of a room while a house runs.
struct RoomRecord: Sendable {
    /// In step: nearer than what listeners tell from one loudspeaker, in nanoseconds.
    static let inStep: Int64 = 100_000
    /// When buffers count, in nanoseconds since the beginning: they have had time to fill.
    static let filled: Int64 = 30_000_000_000

    let name: String
    private(set) var late: [Int64] = []
    private(set) var ahead: [Int64] = []
    private(set) var dropouts = 0
    private(set) var longest: Int64 = 0
    private(set) var recoveries: [Int64] = []
    private(set) var isOut = false

    private var silence: Int64 = 0
    private var silentBefore: Int64 = 0
    /// When what took the room out of step ended, while it has not played in step since.
    private var waitingSince: Int64?
    private var wasOut = false

    init(name: String) { self.name = name }

    /// The end of a fault, or one that is over at once, at `time`.
    mutating func recover(from time: Int64) {
        waitingSince = time
        wasOut = false
    }

    mutating func note(_ room: RoomObservation, at now: Int64) {
        if let lateness = room.truth.lateness { late.append(lateness.last) }
        if let depth = Self.depth(room), now >= Self.filled { ahead.append(depth) }
        noteSilence(room)
        let isInStep = room.truth.lateness.map { abs($0.last) <= Self.inStep } ?? false
        isOut = room.isDue && !isInStep
        if isOut { wasOut = true }
        if let start = waitingSince, isInStep {
            if wasOut { recoveries.append(max(0, now - start)) }
            waitingSince = nil
        }
    }

    private mutating func noteSilence(_ room: RoomObservation) {
        let total = room.truth.silentLoaded + room.truth.silentEmpty
        let more = total - silentBefore
        silentBefore = total
        silence = more > 0 ? silence + more : 0
        longest = max(longest, silence)
        dropouts = max(dropouts, room.truth.dropouts)
    }

    /// How much the room holds ahead of what it plays; nil without sound.
    static func depth(_ room: RoomObservation) -> Int64? {
        guard let played = room.truth.played.last?.media.upper else { return nil }
        let span = room.loaded.first { $0.lower <= played && played <= $0.upper }
        return span.map { $0.upper - played } ?? 0
    }

    /// What it comes to.
    var figures: RoomFigures {
        let sizes = late.map { abs($0) }.sorted()
        let depths = ahead.sorted()
        return RoomFigures(
            name: name, syncP50: Self.share(0.5, of: sizes), syncP99: Self.share(0.99, of: sizes),
            syncMaximum: sizes.last, dropouts: dropouts, longestDropout: longest, bufferMinimum: depths.first,
            bufferTypical: Self.share(0.5, of: depths), recoveries: recoveries, isOutAtEnd: isOut)
    }

    /// The value that this share of sorted values does not exceed.
    private static func share(_ share: Double, of sorted: [Int64]) -> Int64? {
        guard !sorted.isEmpty else { return nil }
        return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
}
