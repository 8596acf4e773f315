import Tutti

/// What an offline output should play, kept as simply as can be: which edition of each media frame is held, and where
/// the programme stands at each output frame.
struct ReferenceModel {
    /// What is known of an output frame.
    enum Expectation: Equatable {
        /// Silence.
        case silence
        /// This sample.
        case sample(Float)
        /// Something is fading, or the model is not to say.
        case anything
    }

    /// A command of the timeline: from output frame `at` on the programme stands at `media` and goes on or not.
    struct Command: Equatable {
        var at: Int
        var media: Int
        var isRunning: Bool
    }

    /// Output frames after any change in which fades may be heard: two of 8 ms after one another, and a period.
    static let grace = 1_440
    /// Media frames that must lie ahead for sound to begin: 150 ms decoded, and the reserve after a stall.
    static let start = 8_600
    /// An edition that may or may not be held any more: what has been heard.
    static let passed: UInt8 = 255

    private(set) var editions: [UInt8]
    private(set) var current = Command(at: 0, media: 0, isRunning: false)
    private(set) var scheduled: [Command] = []
    private(set) var now = 0
    private var calmSince = 0
    /// Where flushes began: what lay behind fades out there.
    private var cuts: Set<Int> = []
    private var isSounding = false
    private var last: (edition: UInt8, media: Int, command: Command)?

    init(frames: Int) { editions = [UInt8](repeating: 0, count: frames) }

    mutating func enqueue(_ range: Range<Int>, edition: Int) {
        forget()
        for index in range { editions[index] = UInt8(edition) }
    }

    mutating func flush(from media: Int) {
        forget()
        cuts.insert(media)
        if media <= self.media { calmSince = now }
        for index in min(max(0, media), editions.count)..<editions.count { editions[index] = 0 }
    }

    /// Another port plays from here on: it begins when there is enough for a start.
    mutating func changeRoute() {
        forget()
        (calmSince, isSounding) = (now, false)
    }

    /// Output frames of which the model is not to say anything.
    mutating func skip(_ count: Int) {
        now += count
        calmSince = now
        last = nil
    }

    /// What lies behind the playhead may be forgotten.
    private mutating func forget() {
        guard current.isRunning else { return }
        for index in 0..<min(max(0, media - 9_000), editions.count) where editions[index] != 0 {
            editions[index] = Self.passed
        }
    }

    mutating func command(_ isRunning: Bool, media: Int?, at: Int) {
        forget()
        scheduled.removeAll { $0.at >= at }
        let before = scheduled.last ?? current
        scheduled.append(Command(at: at, media: media ?? place(before, at), isRunning: isRunning))
        if at <= now { advance() }
    }

    /// Where the programme stands.
    var media: Int { place(current, now) }

    private func place(_ command: Command, _ frame: Int) -> Int {
        command.isRunning ? command.media + frame - command.at : command.media
    }

    private mutating func advance() {
        while let next = scheduled.first, next.at <= now {
            current = next
            scheduled.removeFirst()
        }
    }

    /// The next output frames.
    mutating func render(_ count: Int) -> [Expectation] {
        (0..<count).map { _ in
            advance()
            defer { now += 1 }
            return expectation()
        }
    }

    private mutating func expectation() -> Expectation {
        let place = media
        let edition = current.isRunning && editions.indices.contains(place) ? editions[place] : 0
        let follows = last.map { $0.command == current && $0.edition == edition } ?? false
        if !follows || cuts.contains(place) { calmSince = now }
        // After a jump, a gap or an edit there must be enough for another start.
        if !follows || edition == 0 { isSounding = false }
        last = (edition, place, current)
        if edition == Self.passed {
            (calmSince, isSounding) = (now, false)
            return .anything
        }
        if edition != 0 && !isSounding {
            let end = min(place + Self.start, editions.count)
            isSounding = editions[place..<end].allSatisfy { $0 != 0 && $0 != Self.passed }
            calmSince = now
        }
        guard now - calmSince >= Self.grace else { return .anything }
        return edition == 0 ? .silence : .sample(Material(edition: Int(edition)).sample(place))
    }
}
