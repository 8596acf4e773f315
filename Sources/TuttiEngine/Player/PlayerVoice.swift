import Synchronization
import TuttiEffects

/// The render thread's half of a player: it plays the entries of a schedule one after the other.
///
/// Where sound is cut off (by a pause, a stop, or an entry that interrupts), its next 5 ms fade out over what follows;
/// where it goes on after a pause it fades in.
///
/// RT after `init`: no allocation, no lock, no references counted.
struct PlayerVoice: ~Copyable {
    private static let fadeTime = 0.005

    let shared: UnsafeMutablePointer<PlayerShared>
    /// The entry that plays, and how far it has come.
    var current: UnsafeMutableRawPointer?
    var position = 0
    /// The player's time.
    private(set) var time: Int64 = 0
    private var isPlaying = false
    private var handledStops = 0
    /// Whether `current` has sounded.
    private var isSounding = false
    private var fadeIn = SmoothRamp(1)
    /// An entry of the schedule that is to interrupt, by its number there, and how many were looked at.
    var interruption: Int?
    var scanned = 0
    private let tail = PlaneMemory(channels: 8, frames: 1_024)
    private var tailRamp = SmoothRamp(0)
    private var tailPosition = 0
    private var tailFrames = 0

    init(_ shared: UnsafeMutablePointer<PlayerShared>) { self.shared = shared }

    deinit {
        if let current { Unmanaged<PlayerEntry>.fromOpaque(current).release() }
    }

    /// Makes the frames of one call.
    mutating func render(_ call: RenderCall, into output: Planes, sampleRate: Int) {
        let fade = max(1, min(1_024, Int(Double(sampleRate) * Self.fadeTime)))
        obey(call, output.count, fade)
        let start = shared.pointee.start.load(ordering: .relaxed)
        var done = 0
        if isPlaying, start > call.nodeTime, time == 0, current == nil {
            done = Int(min(Int64(call.frames), start - call.nodeTime))
            output.clear(from: 0, frames: done)
            overlayTail(output, from: 0, done)
        }
        while isPlaying, done < call.frames {
            let count = play(call, output, from: done, fade)
            overlayTail(output, from: done, count)
            done += count
        }
        output.clear(from: done, frames: call.frames - done)
        overlayTail(output, from: done, call.frames - done)
        shared.pointee.time.store(time, ordering: .relaxed)
        shared.pointee.offset.store(
            isPlaying ? call.nodeTime + Int64(call.frames) - time : .min, ordering: .releasing)
    }

    /// Does what was asked for since the last call.
    mutating func obey(_ call: RenderCall, _ channels: Int, _ fade: Int) {
        let stops = shared.pointee.stops.load(ordering: .acquiring)
        if stops != handledStops {
            handledStops = stops
            if isPlaying { cut(channels, fade) }
            drop(before: shared.pointee.stopSerial.load(ordering: .acquiring), at: call.engineTime)
            (time, isPlaying) = (0, false)
            fadeIn.jump(to: 1)
        }
        let plays = shared.pointee.plays.load(ordering: .acquiring)
        guard plays != isPlaying else { return }
        isPlaying = plays
        if !plays {
            cut(channels, fade)
            isSounding = false
        } else if position > 0 {
            fadeIn.jump(to: 0)
            fadeIn.go(to: 1, frames: fade)
        }
    }

    /// The same while nothing renders: nothing fades.
    mutating func obeyAtRest() {
        isSounding = false
        obey(RenderCall.none, 0, 1)
    }

    /// Makes some of the frames from `start` on; says how many.
    private mutating func play(_ call: RenderCall, _ output: Planes, from start: Int, _ fade: Int) -> Int {
        var limit = call.frames - start
        if let due = interruptionTime() {
            if due <= time {
                interrupt(call.engineTime + Int64(Double(start) * call.engineFramesPerFrame), output.count, fade)
                return 0
            }
            limit = Int(min(Int64(limit), due - time))
        }
        if current == nil {
            current = shared.pointee.schedule.pop()
            (position, isSounding) = (0, false)
        }
        guard let entry = current else { return pass(limit, output, start) }
        let begin = Unmanaged<PlayerEntry>.fromOpaque(entry)._withUnsafeGuaranteedRef { $0.start }
        if position == 0, let begin, begin > time {
            return pass(Int(min(Int64(limit), begin - time)), output, start)
        }
        let (count, isOver) = Self.read(entry, position, into: output, at: start, frames: limit)
        applyFadeIn(output, start, count)
        position += count
        time += Int64(count)
        isSounding = isSounding || count > 0
        if isOver {
            finish(at: call.engineTime + Int64((Double(start + count) * call.engineFramesPerFrame).rounded(.up)))
            return count
        }
        if count < limit {
            // The feeder is late.
            shared.pointee.missingFrames.add(limit - count, ordering: .relaxed)
            return count + pass(limit - count, output, start + count)
        }
        return count
    }

    private mutating func pass(_ frames: Int, _ output: Planes, _ start: Int) -> Int {
        output.clear(from: start, frames: frames)
        time += Int64(frames)
        return frames
    }

    private mutating func applyFadeIn(_ output: Planes, _ start: Int, _ frames: Int) {
        guard !fadeIn.isResting else { return }
        var channel = 0
        while channel < output.count {
            let samples = output[channel] + start
            fadeIn.apply(samples, to: samples, frames: frames, adding: false)
            channel += 1
        }
        fadeIn.advance(frames)
    }

    // MARK: Entries

    /// Copies frames of an entry, beginning at `position`; a buffer that loops begins again.
    private static func read(
        _ entry: UnsafeMutableRawPointer, _ position: Int, into output: Planes, at start: Int, frames: Int,
        keeping: Bool = false
    ) -> (count: Int, isOver: Bool) {
        Unmanaged<PlayerEntry>.fromOpaque(entry)._withUnsafeGuaranteedRef { entry in
            if let stream = entry.stream { return read(stream, into: output, at: start, frames: frames, keeping) }
            guard let planes = entry.planes, entry.frameCount > 0 else { return (0, true) }
            var done = 0
            while done < frames {
                let place = entry.loops ? (position + done) % entry.frameCount : position + done
                let count = min(frames - done, entry.frameCount - place)
                guard count > 0 else { break }
                output.copy(planes, from: place, at: start + done, frames: count)
                done += count
            }
            return (done, !entry.loops && position + done >= entry.frameCount)
        }
    }

    private static func read(
        _ stream: UnsafeMutablePointer<FileFeed.Shared>, into output: Planes, at start: Int, frames: Int,
        _ keeping: Bool
    ) -> (count: Int, isOver: Bool) {
        // First whether it is complete: frames may come between the two questions.
        let isComplete = stream.pointee.isComplete.load(ordering: .acquiring)
        guard let ring = stream.pointee.ring.load(ordering: .acquiring) else { return (0, isComplete) }
        let count = ring.pointee.read(into: output, at: start, frames: frames, keeping: keeping)
        return (count, isComplete && ring.pointee.readable == (keeping ? count : 0))
    }

    /// The current entry is over.
    mutating func finish(at engineTime: Int64) {
        guard let entry = current else { return }
        retire(entry, at: engineTime)
        (current, position, isSounding) = (nil, 0, false)
    }

    func retire(_ entry: UnsafeMutableRawPointer, at engineTime: Int64) {
        Unmanaged<PlayerEntry>.fromOpaque(entry)._withUnsafeGuaranteedRef {
            $0.end.store(engineTime, ordering: .relaxed)
        }
        _ = shared.pointee.finished.push(entry)
    }

    private mutating func drop(before serial: Int, at engineTime: Int64) {
        if let current, Self.serial(current) < serial { finish(at: engineTime) }
        while let next = shared.pointee.schedule.peek(shared.pointee.schedule.readIndex), Self.serial(next) < serial {
            if let entry = shared.pointee.schedule.pop() { retire(entry, at: engineTime) }
        }
        (interruption, scanned) = (nil, shared.pointee.schedule.readIndex)
    }

    private static func serial(_ entry: UnsafeMutableRawPointer) -> Int {
        Unmanaged<PlayerEntry>.fromOpaque(entry)._withUnsafeGuaranteedRef { $0.serial }
    }

    // MARK: Cuts

    /// Keeps the next frames of what sounds, to be faded out over what follows.
    mutating func cut(_ channels: Int, _ fade: Int) {
        guard let current, isSounding else { return }
        let planes = Planes(tail.planes.channels, count: channels)
        let (count, _) = Self.read(current, position, into: planes, at: 0, frames: fade, keeping: true)
        planes.clear(from: count, frames: fade - count)
        tailRamp.jump(to: fadeIn.gain)
        tailRamp.go(to: 0, frames: fade)
        (tailPosition, tailFrames) = (0, fade)
    }

    private mutating func overlayTail(_ output: Planes, from start: Int, _ frames: Int) {
        let count = min(frames, tailFrames - tailPosition)
        guard count > 0 else { return }
        var channel = 0
        while channel < output.count {
            tailRamp.apply(
                tail.planes[channel] + tailPosition, to: output[channel] + start, frames: count, adding: true)
            channel += 1
        }
        tailRamp.advance(count)
        tailPosition += count
    }
}
