import TuttiClock
import TuttiCore
import TuttiPlayback
import TuttiRealtime

/// Rooms whose cards have rates of their own, in virtual time: each plays the same noise through a deck and a kernel,
/// one is the reference, and a line hands on what it reports. The group's clock is known exactly everywhere; messages
/// take their time.
struct ReferenceHouse: ~Copyable {
    /// One room.
    final class Room {
        let ppm: Double
        let deck: Deck
        fileprivate let spare: Deck
        fileprivate var frames = 0
        fileprivate var written = 0
        /// What left the card.
        fileprivate(set) var output: [Float] = []
        fileprivate(set) var reports: [RenderReport] = []
        fileprivate(set) var fit: ReferenceFit?
        fileprivate var card: ReferenceFit?
        fileprivate(set) var isReference = false
        fileprivate(set) var isDead = false
        /// Where the period that was rendered last stands in playback time, and when it leaves, in ns after the origin.
        fileprivate var place = (left: 0.0, playback: 0.0)
        /// Whether the card loses what it has been given.
        var hasXrun = false

        fileprivate init(ppm: Double) {
            self.ppm = ppm
            deck = Deck(outputRate: ReferenceHouse.rate, ringFrames: 1 << 16)
            spare = Deck(outputRate: ReferenceHouse.rate, ringFrames: 1 << 10)
        }
    }

    static let rate = 48_000
    static let period = 480
    static let origin: Int64 = 81_250_000_000_123
    static let timescale = TimescaleID(rawValue: 5)
    /// Seconds after the origin at which the noise begins.
    static let start = 1.0

    let rooms: [Room]
    let noise: [Float]
    private(set) var line = ReferenceLine()
    private(set) var seconds = 0.0
    private var kernels: [Kernel] = []
    private var waiting: [(due: Double, room: Int, fit: ReferenceFit)] = []
    private var reference: Int?

    /// Kernels cannot be copied, nor lie in an array.
    private final class Kernel {
        private var kernel: RenderKernel
        init(_ room: Room) {
            kernel = RenderKernel(decks: room.deck, room.spare, maximumPeriodFrames: ReferenceHouse.period)
        }

        func render(_ period: RenderPeriod) -> ([Float], RenderReport) {
            var samples = [Float](repeating: 0, count: 2 * ReferenceHouse.period)
            let report = samples.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { kernel.render(period, into: $0) } ?? RenderReport()
            }
            return (samples, report)
        }
    }

    /// Rooms with cards of these rates, and `length` seconds of noise of `bits` bits.
    init(ppm: [Double], length: Double, bits: Int = 24) {
        rooms = ppm.map(Room.init)
        kernels = rooms.map(Kernel.init)
        var state: UInt64 = 42
        noise = (0..<Int(length * Double(Self.rate)) * 2).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Int64(bitPattern: state) >> (64 - bits) | 1
            return Float(value) / Float(1 << (bits - 1))
        }
        for room in rooms {
            let begin = Self.origin + Int64(Self.start * 1e9)
            let run = DeckRun(
                sourceRate: Self.rate, anchorFrame: 0, anchorGroupNanoseconds: begin, anchorFraction: 0,
                startGroupNanoseconds: begin)
            _ = room.deck.program(run)
        }
    }

    /// Lets a room's card lead from now on.
    mutating func lead(_ index: Int?) {
        reference = index
        for (number, room) in rooms.enumerated() { room.isReference = number == index }
        line.setLed(index == nil ? nil : .card)
    }

    /// The room is gone from now on.
    func kill(_ index: Int) { rooms[index].isDead = true }

    /// Lets time pass, in steps of 10 ms.
    mutating func run(until end: Double, _ look: (borrowing ReferenceHouse) -> Void = { _ in }) {
        while seconds < end {
            seconds += 0.01
            for (index, room) in rooms.enumerated() where !room.isDead { play(room, kernels[index]) }
            hand()
            look(self)
        }
    }

    private func play(_ room: Room, _ kernel: Kernel) {
        let perFrame = 1e9 / (Double(Self.rate) * (1 + room.ppm * 1e-6))
        while Double(room.frames) * perFrame < seconds * 1e9 {
            feed(room)
            let left = Double(room.frames) * perFrame
            let clock = ClockEstimate(
                timescale: Self.timescale, referenceHost: HostTime(nanoseconds: 0), offset: Self.origin, drift: 0,
                offsetSigma: 0, driftSigma: 0
            ).following(room.fit)
            let instant = clock.groupNanoseconds(atHostNanoseconds: Int64(left), fraction: left - left.rounded(.down))
            var period = RenderPeriod(
                frameCount: Self.period, groupNanoseconds: instant.nanoseconds, groupFraction: instant.fraction,
                groupNanosecondsPerFrame: (1 + clock.drift) * perFrame)
            period.isReference = room.isReference
            period.isDiscontinuity = room.hasXrun
            room.hasXrun = false
            let (samples, report) = kernel.render(period)
            room.output += samples
            room.reports.append(report)
            room.frames += Self.period
            let playback = Double(instant.nanoseconds - Self.origin) + instant.fraction
            room.place = (left, playback + report.errorNanoseconds)
            let group = GroupTime(nanoseconds: Self.origin + Int64(left), timescale: Self.timescale)
            room.card = ReferenceFit(
                group: group,
                offset: instant.nanoseconds - group.nanoseconds + Int64(report.referenceNanoseconds.rounded()),
                slope: 1e9 / Double(Self.rate) / perFrame - 1)
        }
    }

    private func feed(_ room: Room) {
        let room = room
        let end = min(noise.count, room.written + room.deck.writableFrames * 2)
        if end > room.written { room.written += 2 * room.deck.write(noise[room.written..<end].span) }
        if room.written == noise.count { room.deck.finish() }
        room.deck.arm()
    }

    /// Four reports a second reach the line 20 ms later, and what it says the rooms 20 to 120 ms after that.
    private mutating func hand() {
        for message in waiting where message.due <= seconds { rooms[message.room].fit = message.fit }
        waiting.removeAll { $0.due <= seconds }
        let now = GroupTime(nanoseconds: Self.origin + Int64(seconds * 1e9), timescale: Self.timescale)
        let isSounding = seconds > Self.start - 0.2
        var fit = line.advance(now: now, isSounding: isSounding)
        if Int((seconds * 100).rounded()) % 25 == 2, let reference, !rooms[reference].isDead,
            let report = rooms[reference].card
        {
            fit = line.take(report, now: now, isSounding: isSounding) ?? fit
        }
        guard let fit else { return }
        for index in rooms.indices { waiting.append((seconds + 0.02 + 0.05 * Double(index), index, fit)) }
    }

    /// How far ahead of another room's sound one's is, in µs.
    func offset(_ one: Int, _ other: Int) -> Double {
        let (first, second) = (rooms[one].place, rooms[other].place)
        let slope = 1 + (rooms[one].fit?.slope ?? 0)
        return (first.playback - second.playback - (first.left - second.left) * slope) / 1_000
    }

    /// What a card would play ahead of this room, in µs, that had gone on as `place` has it.
    func offset(_ one: Int, from place: (left: Double, playback: Double), ppm: Double) -> Double {
        let own = rooms[one].place
        return (own.playback - place.playback - (own.left - place.left) * (1 + ppm * 1e-6)) / 1_000
    }

    /// Where a room stands.
    func place(_ index: Int) -> (left: Double, playback: Double) { rooms[index].place }
}
