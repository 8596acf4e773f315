import Testing
import TuttiCore
import TuttiPlayback

/// A film, a decoder that gives pictures in the order of their times, and a screen that shows what it is told to, on
/// time that is moved by hand.
struct Cinema {
    static let start = HostTime(nanoseconds: 1_000_000_000)
    static let lead: Int64 = 60_000_000

    /// Pictures a second, and pictures from one sync picture to the next.
    let rate: Int
    let group: Int
    /// Pictures of the film.
    let count: Int

    var now = Self.start
    var timeline = HostTimeline(now: Self.start)
    var plan: VideoPlan
    /// What is to be seen, in order.
    private(set) var screen: [VideoPlan.Showing] = []
    private var held: [MediaTime] = []
    private var run = 0
    private var next = 0
    /// ns that a picture takes to be decoded.
    var cost: Int64 = 0

    init(rate: Int = 25, group: Int = 12, count: Int = 1_000) {
        (self.rate, self.group, self.count) = (rate, group, count / group * group)
        plan = VideoPlan(timeline: timeline)
    }

    /// The time of picture `number` in the order of times.
    func time(_ number: Int) -> MediaTime { MediaTime(frame: Int64(number), sampleRate: rate) }

    /// The number of the picture that is decoded as the n-th: in each group I P B B P B B …
    func decoded(_ number: Int) -> Int {
        let (first, place) = (number / group * group, number % group)
        guard place > 0 else { return first }
        let (triple, part) = ((place - 1) / 3, (place - 1) % 3)
        let anchor = first + triple * 3 + 3
        guard anchor < first + group else { return number }
        return part == 0 ? anchor : anchor - 3 + part
    }

    func buffer(_ number: Int) throws -> VideoSampleBuffer {
        let shown = decoded(number)
        let format = try #require(VideoFormat(codec: .h264, width: 16, height: 16))
        return try #require(
            VideoSampleBuffer(
                format: format, presentationTime: time(shown), isSync: number % group == 0, data: [1]))
    }

    static func frame(_ time: MediaTime) -> VideoFrame? {
        VideoFrame(pixelFormat: .gray, width: 1, height: 1, presentationTime: time, planes: [[0]])
    }

    /// Enqueues as long as the plan wants more.
    mutating func feed() throws {
        while next < count, plan.isReady(now: now) {
            try plan.append(.coded(try buffer(next)))
            next += 1
        }
        if next == count { plan.finish() }
    }

    /// Drops everything, and enqueues from the sync picture before a time on.
    mutating func feed(from time: MediaTime) throws {
        plan.flush()
        next = number(at: time) / group * group
        try feed()
    }

    /// Drops what is shown from a time on, and enqueues it anew, from the sync picture before it on.
    mutating func replace(from time: MediaTime) throws {
        let first = number(at: time) / group * group
        guard first < next else { return }
        if let instant = plan.flush(from: time, now: now) { screen.removeAll { $0.instant >= instant } }
        if let instant = plan.flush(from: self.time(first), now: now) { screen.removeAll { $0.instant >= instant } }
        next = first
        try feed()
    }

    mutating func set(rate: Double, time: MediaTime? = nil, inMilliseconds: Int64 = 0) throws {
        try timeline.set(
            rate: rate, time: time, at: now.advanced(byNanoseconds: inMilliseconds * 1_000_000), now: now)
        follow()
    }

    /// As the synchronizer does.
    mutating func follow() {
        timeline.horizon = 250_000_000
        timeline.advance(to: now)
        _ = timeline.takeNews(at: now)
        if let instant = plan.follow(timeline, now: now) { screen.removeAll { $0.instant >= instant } }
    }

    /// Lets time pass in steps of a millisecond, as long as `check` holds.
    ///
    /// - Returns: whether it has held.
    @discardableResult
    mutating func pass(milliseconds: Int, _ check: (Cinema) throws -> Bool = { _ in true }) throws -> Bool {
        var idleAt = now
        for _ in 0..<milliseconds {
            now = now.advanced(byNanoseconds: 1_000_000)
            follow()
            try feed()
            screen += plan.takeDue(now: now, lead: Self.lead)
            while idleAt <= now, let step = plan.nextStep(now: now) {
                perform(step)
                idleAt = max(idleAt, now.advanced(byNanoseconds: -1_000_000)).advanced(byNanoseconds: cost)
                screen += plan.takeDue(now: now, lead: Self.lead)
            }
            guard try check(self) else { return false }
        }
        return true
    }

    private mutating func perform(_ step: VideoPlan.Step) {
        switch step {
        case .decode(let picture, let number, let isFirst, let isSeen):
            if isFirst { held = [] }
            run = number
            // No other refers to it.
            guard isSeen || picture.isSync else { return }
            held.append(picture.presentationTime)
            held.sort()
            // A picture is given when it is known that none comes before it.
            guard held.count > 3 else { return }
            plan.decoded([held.removeFirst()].compactMap(Self.frame), run: run, now: now)
        case .finish(let number):
            plan.decoded(held.compactMap(Self.frame), run: number, isLast: true, now: now)
            held = []
        }
    }

    /// The time of the picture that is seen.
    var seen: MediaTime? { screen.last { $0.instant <= now }?.frame.presentationTime }

    /// What was said last: pictures, and their instants in ms.
    var report: String {
        screen.suffix(4).map {
            "\($0.frame.presentationTime.seconds) at \(Double($0.instant.nanoseconds(since: Self.start)) / 1e6)"
        }.joined(separator: ", ")
    }

    /// Whether the picture is seen that should be, to within 3 ns.
    var isRight: Bool { [0, -3, 3].contains { seen == wanted(at: now.advanced(byNanoseconds: $0)) } }

    /// The time of the picture that should be seen.
    func wanted(at instant: HostTime) -> MediaTime {
        time(min(number(at: timeline.time(at: instant)), count - 1))
    }

    /// The last picture whose time is `media` or before it.
    private func number(at media: MediaTime) -> Int {
        // `frame(at:)` rounds.
        let nearest = Int(media.frame(at: rate))
        return max(time(nearest) > media ? nearest - 1 : nearest, 0)
    }
}
