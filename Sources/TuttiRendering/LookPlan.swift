/// How a card's pointer is looked at between two periods: more often wherever that tells more. RT.
///
/// A pointer that moves in steps (of a frame, or of a millisecond) shows where it really is only to one who looks at
/// varied distances from the steps, and waking with the periods is always the same distance.
package struct LookPlan: Sendable {
    /// What is done about the next step of the pointer.
    package enum StepWatch: Sendable, Equatable {
        case none
        /// It is watched for now.
        case now
        /// It is met when it is due. Where nobody knows when that is, it is watched for: always, or in one of eight
        /// cases, as to watch for all of a step is dear.
        case meet(else: Remedy)

        package enum Remedy: Sendable, Equatable { case always, seldom, never }
    }

    /// What is done besides, unless a step was met.
    package enum Looks: Sendable, Equatable {
        case none
        /// One look, as the thread is awake.
        case now
        /// So many at random instants.
        case random(Int)
    }

    /// Pointers that move by no more frames at a time are taken for exact.
    package static let fineStep: Int64 = 4
    /// How long a card's line is looked for with more readings, in ns; the longest that its steps are watched for in
    /// it.
    private static let acquaintance: Int64 = 2_000_000_000
    private static let watching: Int64 = 200_000_000
    private static let looksWhileSettling = 4
    /// Periods between two extra looks at a pointer that is known, and between two watches for a coarse one's step.
    private static let resting = 8
    /// Of so many extra looks at a pointer that is fine and known, one is at a random instant. The others are taken at
    /// once, as the thread is awake: to wake it for them costs much more than the look, and the time that it takes to
    /// wake and to render varies by more than such a pointer's step.
    private static let looksAtOnce = 4
    /// What a card must still hold, in ns, when it wakes a thread that rests for two periods.
    private static let reserve: Int64 = 25_000_000

    /// Periods since the last extra look.
    private var unwatched = 0
    /// Extra looks at a pointer that hardly needs any.
    private var fineLooks = 0

    /// A card that has not been looked at.
    package init() {}

    /// After a wake-up.
    ///
    /// - Parameters:
    ///   - age: for how long the card's line has been observed, in ns.
    ///   - step: frames by which the pointer moves at a time; 0 while that is not known.
    ///   - periods: for how many periods the thread has rested.
    package mutating func next(age: Int64, step: Int64, periods: Int) -> (watch: StepWatch, looks: Looks) {
        let isFine = step > 0 && step <= Self.fineStep
        let isNew = age < Self.acquaintance
        unwatched += periods
        let isDue = unwatched >= Self.resting
        if isDue { unwatched = 0 }
        guard !isNew else {
            let remedy: StepWatch.Remedy = age < Self.watching ? .always : isDue ? .seldom : .never
            return (isFine ? .now : .meet(else: remedy), .random(Self.looksWhileSettling))
        }
        guard isFine else { return (isDue ? .meet(else: .seldom) : .none, .random(1)) }
        guard isDue else { return (.none, .none) }
        fineLooks &+= 1
        return (.none, fineLooks % Self.looksAtOnce == 0 ? .random(1) : .now)
    }

    /// Periods between two wake-ups: one while the card's line is looked for, and two once it is known, since a thread
    /// that wakes begins with cold caches, and takes longer for that than for what it does. What the card holds then
    /// must outlast what a busy machine does to the thread.
    package static func wakePeriods(age: Int64, _ shape: DeviceShape) -> Int {
        let held = shape.nanoseconds(Int64(shape.bufferFrames))
        return age >= acquaintance && held - 2 * shape.period >= reserve ? 2 : 1
    }
}
