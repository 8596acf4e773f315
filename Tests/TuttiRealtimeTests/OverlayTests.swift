import Testing
import TuttiPlayback
import TuttiRealtime

@Suite("Guests")
struct OverlayTests {
    /// −14 dB.
    private static let low: Float = 0.199_526_23
    /// 50 ms.
    private static let ramp = 2_400

    private let music = Signal(amplitude: 0.6)
    private let voice = Signal(frequencies: (440, 660), amplitude: 0.3)

    /// The owner's gain at a frame when overlays sound from `first` up to `end`.
    private func gain(at frame: Int, from first: Int, to end: Int) -> Float {
        let down = min(Float(max(0, frame - first + 1)) / Float(Self.ramp), 1)
        let up = min(Float(max(0, frame - end + 1)) / Float(Self.ramp), 1)
        return frame < end ? 1 - (1 - Self.low) * down : Self.low + (1 - Self.low) * up
    }

    private func playMusic(in rig: borrowing Rig, correction: Correction = .off) {
        let isProgrammed = rig.decks.0.program(rig.run(rate: 48_000, at: 0), correction: correction)
        #expect(isProgrammed)
        rig.decks.0.write(music.frames(0..<60_000, rate: 48_000))
        rig.decks.0.arm()
    }

    private func announce(
        in rig: borrowing Rig, overlay: Int = 0, at start: Double, frames: Int, rate: Int = 48_000,
        correction: Correction = .off, isWhole: Bool = true
    ) {
        let deck = rig.overlays[overlay].0
        let isProgrammed = deck.program(rig.run(rate: rate, at: start), correction: correction)
        #expect(isProgrammed)
        deck.write(voice.frames(0..<frames, rate: rate))
        if isWhole { deck.finish() }
        deck.arm()
    }

    /// Ends that lie on the border of a period, and inside one.
    @Test(arguments: [12_000, 12_100, 12_479, 1_000])
    func theMusicIsLowerFromTheFirstFrameOfAnAnnouncementToItsLast(length: Int) {
        var plain = Rig(ppm: 0)
        var rig = Rig(ppm: 0, overlays: 2)
        playMusic(in: plain)
        playMusic(in: rig)
        let (first, end) = (4_900, 4_900 + length)
        announce(in: rig, at: Double(first) / 48_000 * 1e9, frames: length)
        plain.renderPeriods(100)
        rig.renderPeriods(100)
        let spoken = voice.frames(0..<length, rate: 48_000)
        var worst: Float = 0
        var differing = 0
        for frame in 0..<48_000 {
            for side in 0...1 {
                let (heard, alone) = (rig.output[2 * frame + side], plain.output[2 * frame + side])
                if frame < first || frame >= max(end, first) + Self.ramp {
                    differing += heard == alone ? 0 : 1
                } else if length > Self.ramp {
                    let words = frame < end ? spoken[2 * (frame - first) + side] : 0
                    worst = max(worst, abs(heard - alone * gain(at: frame, from: first, to: end) - words))
                }
            }
        }
        #expect(differing == 0)
        #expect(worst < 2e-5, "off by \(worst)")
        #expect(rig.reports.allSatisfy { $0.stalls == 0 && $0.underrunFrames == 0 })
        #expect(rig.reports[5].isBitExact && !rig.reports[15].isBitExact && rig.reports[90].isBitExact)
        #expect(rig.reports[15].soundingOverlays == (length > 3_000 ? 1 : 0) && rig.reports[90].soundingOverlays == 0)
        #expect(rig.reports[90].audibleDecks == 1)
        #expect(rig.overlays[0].0.state == .finished)
    }

    @Test func resampledAnnouncementsLieOverResampledMusic() {
        var plain = Rig(ppm: 80)
        var alone = Rig(ppm: 80, overlays: 1)
        var both = Rig(ppm: 80, overlays: 1)
        playMusic(in: plain, correction: .on)
        playMusic(in: both, correction: .on)
        announce(in: alone, at: 0.1e9, frames: 11_025, rate: 44_100, correction: .on)
        announce(in: both, at: 0.1e9, frames: 11_025, rate: 44_100, correction: .on)
        plain.renderPeriods(100)
        alone.renderPeriods(100)
        both.renderPeriods(100)
        // The filter's onset and its end are part of the sound: some 50 frames on either side.
        let (first, end) = (4_800 - 60, 4_800 + 12_000 + 60)
        let (heard, music, words) = (both.output, plain.output, alone.output)
        #expect(heard[..<(2 * first)] == music[..<(2 * first)])
        #expect(heard[(2 * (end + Self.ramp))...] == music[(2 * (end + Self.ramp))...])
        var worst: Float = 0
        for index in 2 * (4_800 + Self.ramp)..<2 * 16_700 {
            worst = max(worst, abs(heard[index] - Self.low * music[index] - words[index]))
        }
        #expect(worst < 1e-6)
        #expect(clickiness(heard, 4_000..<16_000) < 0.03)
    }

    @Test func anAnnouncementThatIsCutOffFadesAndTheMusicComesBack() {
        var plain = Rig(ppm: 0)
        var rig = Rig(ppm: 0, overlays: 1)
        playMusic(in: plain)
        playMusic(in: rig)
        announce(in: rig, at: 0.1e9, frames: 24_000, isWhole: false)
        plain.renderPeriods(20)
        rig.renderPeriods(20)
        rig.overlays[0].0.end(atGroupNanoseconds: .min, fadeOutNanoseconds: 8_000_000)
        plain.renderPeriods(20)
        rig.renderPeriods(20)
        #expect(rig.overlays[0].0.state == .finished)
        // 8 ms of fade, 50 ms of ramp.
        let back = 20 * 480 + 384 + Self.ramp
        let (heard, music) = (rig.output, plain.output)
        #expect(heard[(2 * back)...] == music[(2 * back)...])
        #expect(heard[2 * (back - 5)..<2 * (back - 1)] != music[2 * (back - 5)..<2 * (back - 1)])
        #expect(clickiness(heard, 9_000..<13_000) < 0.03)
    }

    @Test func twoAnnouncementsAtATimeLowerTheMusicOnce() {
        var plain = Rig(ppm: 0)
        var rig = Rig(ppm: 0, overlays: 2)
        playMusic(in: plain)
        playMusic(in: rig)
        announce(in: rig, overlay: 0, at: 0.05e9, frames: 24_000)
        announce(in: rig, overlay: 1, at: 0.15e9, frames: 9_600)
        plain.renderPeriods(60)
        rig.renderPeriods(60)
        let spoken = voice.frames(0..<24_000, rate: 48_000)
        for frame in 8_000..<16_000 {
            let words = spoken[2 * (frame - 2_400)] + spoken[2 * (frame - 7_200)]
            let heard = rig.output[2 * frame]
            guard abs(heard - words - plain.output[2 * frame] * Self.low) < 1e-5 else {
                Issue.record("frame \(frame) is \(heard)")
                return
            }
        }
        #expect(rig.reports[25].soundingOverlays == 0b11 && rig.reports[45].soundingOverlays == 0b01)
    }

    @Test func volumeAndMuteHoldForAnnouncementsToo() {
        var rig = Rig(ppm: 0, overlays: 1)
        announce(in: rig, at: 0, frames: 24_000)
        rig.renderPeriods(10)
        rig.card.gain = 0.5
        rig.renderPeriods(10)
        rig.card.gain = 0
        rig.renderPeriods(10)
        let spoken = voice.frames(0..<24_000, rate: 48_000)
        let heard = rig.output
        #expect(heard[..<(2 * 4_800)] == spoken[..<(2 * 4_800)])
        #expect(heard[2 * 4_800..<2 * 9_600].elementsEqual(spoken[2 * 4_800..<2 * 9_600].map { $0 * 0.5 }))
        #expect(heard[(2 * 9_600)...].allSatisfy { $0 == 0 })
    }

    @Test func aOverlayWithoutDataIsSilentAndTheMusicDoesNotWait() {
        var plain = Rig(ppm: 0)
        var rig = Rig(ppm: 0, overlays: 1)
        playMusic(in: plain)
        playMusic(in: rig)
        announce(in: rig, at: 0.05e9, frames: 4_900, isWhole: false)
        plain.renderPeriods(60)
        rig.renderPeriods(60)
        let back = 2_400 + 4_900 + 480 + Self.ramp
        let (heard, music) = (rig.output, plain.output)
        #expect(heard[(2 * back)...] == music[(2 * back)...])
        #expect(rig.reports.allSatisfy { $0.stalls == 0 && $0.underrunFrames == 0 })
        #expect(rig.reports[40].soundingOverlays == 0)
        // And goes on when there is some again.
        rig.overlays[0].0.write(voice.frames(4_900..<40_000, rate: 48_000))
        rig.renderPeriods(10)
        #expect(rig.reports[65].soundingOverlays == 1)
    }
}
