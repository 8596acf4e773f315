import Glibc
import Synchronization
import Testing
import TuttiCore
import TuttiPlayback
import TuttiRealtime

/// Counts what the Swift runtime allocates on one thread, through the hooks that it has for instruments. Arrays, boxes,
/// closures and objects all come from there; raw memory does not.
private enum Watch {
    typealias Allocate = @convention(c) (UnsafeRawPointer?, Int, Int) -> UnsafeMutableRawPointer?
    typealias Retain = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    typealias Release = @convention(c) (UnsafeMutableRawPointer?) -> Void

    struct Originals {
        var allocate: Allocate
        var retain: Retain
        var release: Release
    }

    static let thread = Atomic<UInt>(0)
    static let allocations = Atomic<Int>(0)
    nonisolated(unsafe) static var originals: Originals?

    static func note() {
        if thread.load(ordering: .relaxed) == UInt(pthread_self()) { allocations.wrappingAdd(1, ordering: .relaxed) }
    }

    /// Allocations that `body` makes on this thread; nil when the runtime has no such hooks.
    static func count(_ body: () -> Void) -> Int? {
        guard let allocate = dlsym(nil, "_swift_allocObject"), let retain = dlsym(nil, "_swift_retain"),
            let release = dlsym(nil, "_swift_release"),
            let enable = dlsym(
                nil, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly")
        else { return nil }
        let allocateHook = allocate.assumingMemoryBound(to: Allocate.self)
        let retainHook = retain.assumingMemoryBound(to: Retain.self)
        let releaseHook = release.assumingMemoryBound(to: Release.self)
        let saved = Originals(
            allocate: allocateHook.pointee, retain: retainHook.pointee, release: releaseHook.pointee)
        originals = saved
        note()
        allocateHook.pointee = { metadata, size, alignment in
            Watch.note()
            return Watch.originals?.allocate(metadata, size, alignment)
        }
        // The default entries do not bear being called through the table; these do.
        retainHook.pointee = { Watch.originals?.retain($0) }
        releaseHook.pointee = { Watch.originals?.release($0) }
        enable.assumingMemoryBound(to: Bool.self).pointee = true
        allocations.store(0, ordering: .relaxed)
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        body()
        thread.store(0, ordering: .relaxed)
        enable.assumingMemoryBound(to: Bool.self).pointee = false
        allocateHook.pointee = saved.allocate
        retainHook.pointee = saved.retain
        releaseHook.pointee = saved.release
        return allocations.load(ordering: .relaxed)
    }
}

@Suite("Allocation", .serialized)
struct AllocationTests {
    /// In a process of its own, since the hook is not made for threads that are already running.
    @Test func aThousandPeriodsWithEverythingThatCanHappenAllocateNothing() async {
        await #expect(processExitsWith: .success) {
            var seen: [Int] = []
            let control = try #require(Watch.count { seen = Array(repeating: 1, count: 1_000) })
            #expect(control > 0 && seen.count == 1_000, "the watch works")

            var rig = Rig(ppm: 80, period: 96, overlays: 2)
            let signal = Signal()
            #expect(rig.decks.0.program(rig.run(rate: 44_100, at: 3e6)))
            #expect(rig.decks.1.program(rig.run(rate: 48_000, at: 1.5e9, fadeIn: 5_000_000)))
            rig.decks.0.write(signal.frames(0..<40_000, rate: 44_100))
            rig.decks.1.write(signal.frames(0..<15_000, rate: 48_000))
            rig.decks.0.arm()
            rig.decks.1.arm()
            rig.decks.0.end(atGroupNanoseconds: rig.card.origin + 1_500_000_000, fadeOutNanoseconds: 5_000_000)
            for (index, overlay) in rig.overlays.enumerated() {
                #expect(overlay.0.program(rig.run(rate: 44_100, at: 0.7e9 + Double(index) * 0.1e9)))
                overlay.0.write(signal.frames(0..<8_000, rate: 44_100))
                overlay.0.finish()
                overlay.0.arm()
            }
            var output = [Float](repeating: 0, count: 192)
            var encoder = SampleEncoder(kind: .int16, seed: 3)
            var bytes = [UInt8](repeating: 0, count: 384)
            var (stalls, crossfades, reanchors, periods) = (0, 0, 0, 0)
            var overlaysHeard: UInt8 = 0
            let spacing = rig.card.nanosecondsPerFrame
            let origin = rig.card.origin
            let watched = output.withUnsafeMutableBufferPointer { buffer in
                bytes.withUnsafeMutableBytes { raw in
                    Watch.count {
                        guard let target = buffer.baseAddress, let wire = raw.baseAddress else { return }
                        for index in 0..<1_000 {
                            var period = RenderPeriod(
                                frameCount: 96, groupNanoseconds: origin + Int64(Double(index * 96) * spacing),
                                groupFraction: 0.5, groupNanosecondsPerFrame: spacing)
                            if index > 100 { period.groupNanoseconds += 10_000_000 }
                            period.isDiscontinuity = index == 200
                            period.gain = index > 300 ? 0.5 : 1
                            period.gainRampFrames = 200
                            let report = rig.kernel.render(period, into: target)
                            encoder.convert(target, samples: 192, dither: !report.isBitExact, into: wire)
                            stalls += report.stalls
                            overlaysHeard |= report.soundingOverlays
                            crossfades += report.crossfades
                            reanchors += report.reanchors
                            periods += 1
                        }
                    }
                }
            }
            #expect(watched == 0)
            #expect(periods == 1_000)
            #expect(overlaysHeard == 0b11)
            #expect(stalls == 2)
            #expect(crossfades == 1)
            #expect(reanchors == 1)
        }
    }
}
