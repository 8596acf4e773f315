import Testing
import TuttiEffects
import TuttiPlayback
import TuttiRealtime

/// A processor that gives what it gets, `latency` frames later and `gain` times as loud, and says so.
private final class Late: AudioProcessor {
    private let frames: Int
    private let gain: Float
    private let memory: UnsafeMutablePointer<Float>
    private var place = 0

    init(_ shape: Shape, by frames: Int, gain: Float = 1) {
        (self.frames, self.gain) = (frames, gain)
        memory = .allocate(capacity: 2 * max(1, frames))
        memory.initialize(repeating: 0, count: 2 * max(1, frames))
        super.init(shape)
    }

    deinit { memory.deallocate() }

    override var latency: Int { frames }

    override func process(_ planes: Planes, frames count: Int) {
        for frame in 0..<count {
            for channel in 0..<2 {
                let new = planes[channel][frame]
                let kept = memory + 2 * place + channel
                planes[channel][frame] = gain * (frames == 0 ? new : kept.pointee)
                if frames > 0 { kept.pointee = new }
            }
            if frames > 0 { place = (place + 1) % frames }
        }
    }

    override func reset() {
        memory.update(repeating: 0, count: 2 * max(1, frames))
        place = 0
    }
}

@Suite("Effects of an output")
struct EffectSlotTests {
    private static let period = 480
    private static let start = 40e6

    private static func slot() -> EffectSlot { EffectSlot(sampleRate: 48_000, maximumFrames: period) }

    /// What a rig plays of a second of sound, during which `change` may offer processors.
    private static func play(
        _ slot: EffectSlot?, seconds: Int = 1, change: (_ period: Int, inout Rig) -> Void = { _, _ in }
    ) -> (output: [Float], reports: [RenderReport]) {
        var rig = Rig(ppm: 40, period: period, ringFrames: 131_072, effects: slot)
        let sound = Signal().frames(0..<48_000 * seconds, rate: 48_000)
        _ = rig.decks.0.program(rig.run(rate: 48_000, at: start), correction: .off)
        rig.decks.0.write(sound)
        rig.decks.0.finish()
        rig.decks.0.arm()
        for number in 0..<100 * seconds + 20 {
            change(number, &rig)
            rig.renderPeriods(1)
        }
        return (rig.output, rig.reports)
    }

    @Test func nothingInTheSlotChangesNoBit() {
        let plain = Self.play(nil)
        let slot = Self.slot()
        let through = Self.play(slot)
        #expect(plain.output == through.output)
        #expect(through.reports.allSatisfy { $0.isBitExact })
        #expect(slot.lead == 0)
    }

    @Test func turningOffWhatIsOffChangesNoBit() {
        let plain = Self.play(nil)
        let slot = Self.slot()
        let through = Self.play(slot) { number, _ in if number % 10 == 0 { slot.offer(nil) } }
        #expect(plain.output == through.output)
        #expect(through.reports.allSatisfy { $0.isBitExact })
    }

    /// However late a processor is: from the first frame on each sounds when it would have.
    @Test(arguments: [0, 1, 479, 480, 2_560, 20_000])
    func soundIsInTimeWhateverTheLatency(latency: Int) {
        let slot = Self.slot()
        slot.offer(Late(slot.shape, by: latency))
        // Enough silence before it begins for decks to get ahead.
        let begins = 600e6
        func output(_ slot: EffectSlot?) -> [Float] {
            var rig = Rig(ppm: 40, ringFrames: 131_072, effects: slot)
            _ = rig.decks.0.program(rig.run(rate: 48_000, at: begins), correction: .off)
            rig.decks.0.write(Signal().frames(0..<24_000, rate: 48_000))
            rig.decks.0.finish()
            rig.decks.0.arm()
            rig.renderPeriods(120)
            return rig.output
        }
        #expect(output(nil) == output(slot))
    }

    /// Each exchange of processors that give what they get leaves every sample as it was: nothing is skipped, repeated
    /// or faded away, from none to late, to later, to less late, to none.
    @Test func exchangesSkipAndRepeatNothing() {
        let plain = Self.play(nil, seconds: 2)
        let slot = Self.slot()
        let changed = Self.play(slot, seconds: 2) { number, _ in
            switch number {
            case 20: slot.offer(Late(slot.shape, by: 700))
            case 50: slot.offer(Late(slot.shape, by: 6_000))
            case 100: slot.offer(Late(slot.shape, by: 20_000))
            case 160: slot.offer(Late(slot.shape, by: 10))
            case 180: slot.offer(nil)
            default: break
            }
        }
        let worst = zip(plain.output, changed.output).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect(worst < 1e-6)
        #expect(changed.reports.allSatisfy { $0.stalls == 0 && $0.reanchors == 0 && $0.crossfades == 0 })
    }

    @Test func anotherLevelComesWithoutAClick() {
        let slot = Self.slot()
        let (output, _) = Self.play(slot) { number, _ in
            if number == 30 { slot.offer(Late(slot.shape, by: 100, gain: 0.25)) }
            if number == 60 { slot.offer(Late(slot.shape, by: 0, gain: 1)) }
        }
        let plain = Self.play(nil).output
        func roughness(_ samples: [Float]) -> Float {
            var worst: Float = 0
            for index in 4..<samples.count {
                worst = max(worst, abs(samples[index] - 2 * samples[index - 2] + samples[index - 4]))
            }
            return worst
        }
        #expect(roughness(output) < 1.05 * roughness(plain))
        let quiet = output[2 * 480 * 45..<2 * 480 * 50].reduce(Float(0)) { max($0, abs($1)) }
        #expect(abs(quiet - 0.125) < 0.01)
    }

    /// What was made ahead is for instants that a card which has lost its place does not play any more.
    @Test func aLostPlaceIsFoundAgain() {
        let slot = Self.slot()
        slot.offer(Late(slot.shape, by: 2_000))
        func output(_ slot: EffectSlot?) -> [Float] {
            var rig = Rig(ppm: 0, ringFrames: 131_072, effects: slot)
            _ = rig.decks.0.program(rig.run(rate: 48_000, at: Self.start), correction: .off)
            rig.decks.0.write(Signal().frames(0..<60_000, rate: 48_000))
            rig.decks.0.arm()
            rig.renderPeriods(40)
            rig.card.framesPlayed += 4_800
            rig.card.isDiscontinuity = true
            rig.renderPeriods(40)
            return rig.output
        }
        let (plain, through) = (output(nil), output(slot))
        #expect(plain[2 * 480 * 55..<2 * 480 * 80] == through[2 * 480 * 55..<2 * 480 * 80])
        #expect(plain[2 * 480 * 30..<2 * 480 * 40] == through[2 * 480 * 30..<2 * 480 * 40])
    }

    @Test func decksAreLessFarAheadOnceItIsSilent() {
        let slot = Self.slot()
        slot.offer(Late(slot.shape, by: 3_000))
        var lead = 0
        _ = Self.play(slot) { number, _ in
            if number == 50 { slot.offer(nil) }
            if number == 99 { lead = slot.lead }
        }
        #expect(lead >= 3_000)
        #expect(slot.lead == 0)
    }

    @Test func processorsThatAreOverAreFreed() {
        let slot = Self.slot()
        weak var first: Late?
        weak var second: Late?
        weak var third: Late?
        do {
            let (one, two, three) = (Late(slot.shape, by: 1), Late(slot.shape, by: 2), Late(slot.shape, by: 3))
            (first, second, third) = (one, two, three)
            slot.offer(one)
        }
        _ = Self.play(slot) { number, _ in
            if number == 20 { slot.offer(Late(slot.shape, by: 5)) }
            if number == 60 { slot.offer(nil) }
            if number == 90 { slot.collect() }
        }
        slot.collect()
        #expect(first == nil && second == nil && third == nil)
    }

    @Test func onlyTheLastOfferCounts() {
        let slot = Self.slot()
        let (output, _) = Self.play(slot) { number, _ in
            if number == 10 { for gain in 1...50 { slot.offer(Late(slot.shape, by: gain, gain: Float(gain) / 100)) } }
        }
        let loudest = output[2 * 480 * 60..<2 * 480 * 90].reduce(Float(0)) { max($0, abs($1)) }
        #expect(abs(loudest - 0.25) < 0.01)
    }
}
