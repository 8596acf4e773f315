import Synchronization
import TuttiHost
import TuttiRealtime

/// What PipeWire's real-time thread leaves of a sink's sound for the thread that sends it on.
///
/// RT in `take`: no allocation, no lock; at most one system call, which does not wait.
final class SinkTap {
    /// Frames that wait at most: more than a second.
    private static let capacity = 1 << 16

    let ring = PCMRing(minimumFrames: SinkTap.capacity)
    private let bell: Bell
    private let anewFrames: Int
    private let capturing = Atomic<Bool>(false)
    private let armed = Atomic<Bool>(true)
    /// Frames of silence that have come since the last sound.
    private let quietFrames = Atomic<Int>(0)
    private let soundBlocks = Atomic<Int>(0)
    private let droppedFrames = Atomic<Int>(0)
    private let beginning = Atomic<Int64>(0)

    /// - Parameter anewFrames: frames of silence after which sound counts as new.
    init(_ bell: Bell, anewFrames: Int) { (self.bell, self.anewFrames) = (bell, anewFrames) }

    // MARK: RT

    /// Takes interleaved stereo.
    func take(_ samples: UnsafeBufferPointer<Float>) {
        let frames = samples.count / 2
        let isSound = Self.hasSound(samples)
        let quiet = quietFrames.load(ordering: .relaxed)
        var isTaken = capturing.load(ordering: .acquiring)
        if isSound, !isTaken, armed.load(ordering: .relaxed) || quiet >= anewFrames {
            beginning.store(ring.framesWritten, ordering: .relaxed)
            capturing.store(true, ordering: .releasing)
            isTaken = true
        }
        if isSound {
            soundBlocks.wrappingAdd(1, ordering: .relaxed)
            quietFrames.store(0, ordering: .relaxed)
        } else {
            quietFrames.store(min(quiet + frames, 1 << 40), ordering: .relaxed)
        }
        guard isTaken else { return }
        let written = ring.write(samples.span)
        if written < frames { droppedFrames.wrappingAdd(frames - written, ordering: .relaxed) }
        bell.ring()
    }

    private static func hasSound(_ samples: UnsafeBufferPointer<Float>) -> Bool {
        var bits: UInt32 = 0
        for sample in samples { bits |= sample.bitPattern }
        // Also a zero has a sign.
        return bits & 0x7FFF_FFFF != 0
    }

    // MARK: The other side

    /// Whether sound is taken.
    var isCapturing: Bool { capturing.load(ordering: .acquiring) }

    /// Counts parts of the sound that were not silent.
    var sounds: Int { soundBlocks.load(ordering: .relaxed) }

    /// Frames that were lost for want of room.
    var dropped: Int { droppedFrames.load(ordering: .relaxed) }

    /// Forgets what was written before sound began.
    func skipToBeginning() {
        let place = beginning.load(ordering: .relaxed)
        if ring.readIndex < place { ring.seek(to: place) }
    }

    /// Forgets all but the last frames.
    func keep(_ frames: Int) { ring.consume(max(0, ring.readableFrames - frames)) }

    /// Takes no more sound until it begins again.
    ///
    /// - Parameter isArmed: whether any sound does, or only one after silence.
    func release(isArmed: Bool) {
        armed.store(isArmed, ordering: .relaxed)
        guard isCapturing else { return }
        capturing.store(false, ordering: .releasing)
        ring.consume(ring.readableFrames)
    }
}
