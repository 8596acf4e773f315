import Glibc
import TuttiCore

/// A shared card and its rooms' parts, for whoever has the lock.
struct CardState {
    /// A room's part. Frames are counted as in the card's run.
    private struct Part {
        let range: ChannelRange
        var isRunning = false
        /// The card's run that it plays in.
        var cardRun: UInt32 = 0
        /// Its own runs.
        var generation: UInt32 = 0
        /// The card's frame that is number 0 of its own run.
        var origin: Int64 = 0
        /// The card's frame that it writes next.
        var written: Int64 = 0
    }

    /// How much earlier than something is due it is looked at, and the least that is waited, in ns.
    private static let (margin, leastPause) = (1_000_000 as Int64, 200_000 as Int64)

    private let device: any OutputDevice
    private let shape: OutputParameters
    private let ring: FrameRing
    private var parts: [Part?] = []
    private var isRunning = false
    /// Counts the card's runs.
    private var run: UInt32 = 0
    /// Frames of the card's run that it has been handed.
    private var handed: Int64 = 0
    /// Whether a part waits for the card itself, and which wait for that part: bit by bit.
    private var (isAwaited, waiting) = (false, 0 as UInt32)

    init(_ device: any OutputDevice) {
        self.device = device
        shape = device.actual
        ring = FrameRing(frames: shape.bufferFrames, frameBytes: shape.bytesPerFrame)
    }

    var failure: OutputError? { device.failure }

    mutating func attach(_ range: ChannelRange, device name: String) throws(OutputError) -> Int {
        if device.failure != nil { throw .cannotOpen(device: name, code: ENODEV) }
        let isTaken = parts.contains { $0?.range.indices.overlaps(range.indices) ?? false }
        guard !isTaken else { throw .cannotOpen(device: name, code: EBUSY) }
        let place = parts.firstIndex { $0 == nil } ?? parts.count
        if place == parts.count { parts.append(nil) }
        parts[place] = Part(range: range)
        return place
    }

    mutating func detach(_ index: Int) -> Bool {
        parts[index] = nil
        guard parts.allSatisfy({ $0 == nil }) else {
            _ = handOver(through: complete)
            return false
        }
        device.close()
        return true
    }

    func close() { device.close() }

    mutating func start(_ index: Int) throws(OutputError) {
        if isRunning, let timing = device.timing() {
            join(index, timing)
        } else {
            try restart(index) { device throws(OutputError) in try device.start() }
        }
    }

    mutating func recover(_ index: Int, silence: Int) throws(OutputError) {
        if isRunning, let timing = device.timing() {
            // The card plays: this part alone was late, or another has got the card going again.
            join(index, timing)
        } else {
            try restart(index) { device throws(OutputError) in try device.recover(silence: silence) }
        }
    }

    /// Begins another run of the card. All other parts are told by `timing`, `write` and `readiness`.
    private mutating func restart(
        _ index: Int, _ start: (any OutputDevice) throws(OutputError) -> Void
    ) throws(OutputError) {
        isRunning = false
        ring.clear()
        run &+= 1
        try start(device)
        isRunning = true
        guard let timing = device.timing() else { return }
        handed = timing.playedFrames + timing.queuedFrames
        begin(index, at: handed, timing)
    }

    /// Begins a run in the card's: as on a card of its own, on a buffer full of silence, so that nobody waits for it soon.
    /// All parts write whole periods; they begin whole periods apart, so that one wake-up is the right one for all.
    private mutating func join(_ index: Int, _ timing: OutputTiming) {
        let (others, period) = (complete, Int64(shape.periodFrames))
        let most = handed + Int64(timing.writableFrames)
        begin(index, at: others + max(most - others, 0) / period * period, timing)
    }

    private mutating func begin(_ index: Int, at frame: Int64, _ timing: OutputTiming) {
        parts[index]?.isRunning = true
        parts[index]?.cardRun = run
        parts[index]?.generation &+= 1
        parts[index]?.written = frame
        parts[index]?.origin = handed + Int64(timing.writableFrames) - Int64(shape.bufferFrames)
    }

    /// A part that plays in the card's run and is not late. RT.
    private func current(_ index: Int) -> (written: Int64, origin: Int64, generation: UInt32)? {
        guard let part = parts[index], isCurrent(part) else { return nil }
        return (part.written, part.origin, part.generation)
    }

    private func isCurrent(_ part: Part) -> Bool { part.isRunning && part.cardRun == run && part.written >= handed }

    func timing(of index: Int) -> OutputTiming? {
        guard let part = current(index), var timing = device.timing() else { return nil }
        let pending = part.written - handed
        timing.playedFrames -= part.origin
        timing.queuedFrames += pending
        timing.writableFrames = max(timing.writableFrames - Int(pending), 0)
        timing.generation = part.generation
        return timing
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, frames: Int, to index: Int) -> Int {
        if device.failure != nil { return OutputWait.lost.rawValue }
        guard let part = current(index), let range = parts[index]?.range else { return OutputWait.xrun.rawValue }
        let sample = shape.sampleType.bytesPerSample
        let width = range.indices.count * sample
        let room = shape.bufferFrames - Int(part.written - handed)
        let count = max(min(frames, bytes.count / width, room), 0)
        ring.put(
            bytes, count: count, at: part.written, offset: range.indices.lowerBound * sample, width: width)
        parts[index]?.written = part.written + Int64(count)
        let outcome = handOver(through: complete)
        return outcome < 0 ? outcome : count
    }

    mutating func readiness(of index: Int) -> SharedCard.Readiness {
        if device.failure != nil { return .done(.lost) }
        guard current(index) != nil else { return .done(.xrun) }
        guard let timing = device.timing() else {
            return .done(device.wait(timeoutNanoseconds: 0) == .lost ? .lost : .xrun)
        }
        // What the card still has is a period: time to do without the late ones.
        let reserve = timing.queuedFrames - Int64(shape.periodFrames)
        if reserve <= 0, handOver(through: delivered) < 0 { return .done(.xrun) }
        guard let part = current(index) else { return .done(.xrun) }
        let pending = part.written - handed
        let missing = Int64(shape.periodFrames) - (Int64(timing.writableFrames) - pending)
        if missing <= 0 { return .done(.writable) }
        if pending == 0 {
            guard isAwaited else {
                isAwaited = true
                return .awaitCard
            }
            waiting |= 1 << UInt32(index)
            return .awaitWake
        }
        let due = min(missing, max(reserve, 0)) * 1_000_000_000 / Int64(shape.sampleRate)
        return .awaitOthers(max(due - Self.margin, Self.leastPause))
    }

    /// Nobody waits for the card itself any more.
    ///
    /// - Returns: who is to be woken. RT.
    mutating func cardWoke() -> UInt32 {
        defer { (isAwaited, waiting) = (false, 0) }
        return waiting
    }

    /// How far all that are not late have written. RT.
    private var complete: Int64 { least { _ in true } }

    /// How far those have written that have written anything. RT.
    private var delivered: Int64 { least { $0.written > handed } }

    private func least(where isMeant: (Part) -> Bool) -> Int64 {
        var least = Int64.max
        for part in parts {
            if let part, isCurrent(part), isMeant(part) { least = min(least, part.written) }
        }
        return least == .max ? handed : least
    }

    /// Hands the card what is before `frame`. RT.
    ///
    /// - Returns: as `OutputDevice.write`, of the last call.
    private mutating func handOver(through frame: Int64) -> Int {
        while handed < frame {
            let piece = ring.piece(from: handed, count: Int(frame - handed))
            let taken = device.write(UnsafeRawBufferPointer(piece), frames: piece.count / shape.bytesPerFrame)
            guard taken > 0 else { return taken }
            UnsafeMutableRawBufferPointer(rebasing: piece[..<(taken * shape.bytesPerFrame)])
                .initializeMemory(as: UInt8.self, repeating: 0)
            handed += Int64(taken)
        }
        return 0
    }
}
