import Glibc
import Synchronization
import Testing
import TuttiChain
import TuttiEffects
import TuttiEngine

/// Counts what the Swift runtime allocates on one thread, through the hooks that it has for instruments.
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

    /// Allocations of `body` on this thread; nil when the runtime has no such hooks.
    static func count(_ body: () -> Void) -> Int? {
        guard let allocate = dlsym(nil, "_swift_allocObject"), let retain = dlsym(nil, "_swift_retain"),
            let release = dlsym(nil, "_swift_release"),
            let enable = dlsym(nil, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly")
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
    @Test func aThousandCallsWithEverythingThatCanHappenAllocateNothing() async {
        await #expect(processExitsWith: .success) {
            var seen: [Int] = []
            let control = try #require(Watch.count { seen = Array(repeating: 1, count: 1_000) })
            #expect(control > 0 && seen.count == 1_000, "the watch works")

            let engine = AudioEngine()
            try engine.enableManualRendering(.realtime, format: stereo, maximumFrameCount: 512)
            let (first, second, eq, mixer) = (
                PlayerNode(), PlayerNode(), EQNode(bands: [EQBand(.peak, frequency: 300)]), MixerNode()
            )
            for node in [first, second, eq, mixer] { try engine.attach(node) }
            try engine.connect(first, to: eq, format: EngineFormat(sampleRate: 44_100, channelCount: 1))
            try engine.connect(eq, to: mixer)
            try engine.connect(second, to: mixer)
            try engine.connect(mixer, to: engine.mainMixerNode)
            try mixer.installTap(bufferSize: 256) { _, _ in }
            try first.scheduleFile(MemoryFile([noise(400_000, seed: 1)], sampleRate: 44_100))
            try second.scheduleBuffer(buffer([noise(700, seed: 2), noise(700, seed: 3)]), options: .loops)
            try second.scheduleBuffer(
                buffer([noise(700, seed: 2), noise(700, seed: 3)]), at: 20_000, options: [.interrupts, .loops])
            try engine.start()
            try first.play()
            try second.play()
            engine.keepHouse()
            let block = try engine.manualRenderingBlock
            let target = try PCMBuffer(format: stereo, frameCapacity: 512)
            var good = 0
            var counted = 0
            for step in 0..<10 {
                switch step {
                case 2: try mixer.setPan(0.5, onBus: 1)
                case 3: try eq.setBands([EQBand(.lowShelf, frequency: 100)])
                case 4: second.pause()
                case 5: try engine.connect(second, to: engine.mainMixerNode)
                case 6: try second.play()
                case 7: try engine.detach(eq)
                case 8: second.stop()
                default: break
                }
                engine.keepHouse()
                let count = Watch.count {
                    for index in 0..<100 { if block(1 + index * 5, target) == .success { good += 1 } }
                }
                counted += try #require(count)
            }
            #expect(good == 1_000)
            #expect(counted == 0)
            engine.stop()
        }
    }
}
