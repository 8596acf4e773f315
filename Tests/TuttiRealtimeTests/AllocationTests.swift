import CRuntimeWatch
import Testing
import TuttiCore
import TuttiPlayback
import TuttiRealtime

@Suite("Allocation", .serialized)
struct AllocationTests {
    /// In a process of its own, since the hook is not made for threads that are already running.
    @Test func aThousandPeriodsWithEverythingThatCanHappenAllocateNothingAndCountNoReference() async {
        await #expect(processExitsWith: .success) {
            var seen: [Int] = []
            try #require(runtime_watch_install())
            runtime_watch_begin()
            seen = Array(repeating: 1, count: 1_000)
            runtime_watch_end()
            let control = runtime_watch_count(runtime_watch_allocations)
            #expect(control > 0 && seen.count == 1_000, "the watch works")
            let references = runtime_watch_count(runtime_watch_references)

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
            output.withUnsafeMutableBufferPointer { buffer in
                bytes.withUnsafeMutableBytes { raw in
                    guard let target = buffer.baseAddress, let wire = raw.baseAddress else { return }
                    runtime_watch_begin()
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
                    runtime_watch_end()
                }
            }
            #expect(runtime_watch_count(runtime_watch_allocations) == control)
            #expect(runtime_watch_count(runtime_watch_references) == references)
            #expect(periods == 1_000)
            #expect(overlaysHeard == 0b11)
            #expect(stalls == 2)
            #expect(crossfades == 1)
            #expect(reanchors == 1)
        }
    }
}
