import Foundation
import Testing
import TuttiCalibration
import TuttiChain
import TuttiCore

@Suite struct CorrectionProposalTests {
    /// A small room with strong resonances and weak reflections, as bass is in most rooms.
    private static let bedroom = SweepStudio(
        paths: [
            .init(seconds: 0.007, gain: 1), .init(seconds: 0.0098, gain: 0.22), .init(seconds: 0.0161, gain: -0.14),
            .init(seconds: 0.0277, gain: 0.1),
        ],
        modes: [
            .init(frequency: 31, decay: 0.7, gain: 3.5), .init(frequency: 44, decay: 0.8, gain: 5),
            .init(frequency: 63, decay: 0.6, gain: 3), .init(frequency: 78, decay: 0.5, gain: 2.4),
            .init(frequency: 118, decay: 0.4, gain: 1.6),
        ], sampleRate: 44_100, recorderPpm: 100, lead: 1.3, noise: 50)

    /// Measured once for the tests that only look at it.
    private static let measured = Result { try bedroom.measured() }

    private func describe(_ proposal: CorrectionProposal) -> String {
        let bands = proposal.bands.map { "\($0.kind) \($0.frequency) \($0.gain) \($0.q)" }.joined(separator: "; ")
        return "\(proposal.headroom): \(bands); \(proposal.deviationBefore) to \(proposal.deviationAfter) dB"
    }

    @Test(arguments: [ResponseTarget.flat, .room])
    func halvesTheDeviation(target: ResponseTarget) throws {
        let proposal = CorrectionProposal(try Self.measured.get(), .init(target: target))
        #expect(proposal.deviationAfter < proposal.deviationBefore / 2, "\(describe(proposal))")
        #expect(proposal.bands.count <= 10)
        for band in proposal.bands {
            #expect(band.q <= 8 && band.gain <= 4 && band.gain >= -15 && band.frequency <= 500, "\(band)")
        }
    }

    @Test func theRoomSoundsAsPredicted() throws {
        let proposal = CorrectionProposal(try Self.measured.get())
        var corrected = Self.bedroom
        corrected.sampleRate = 48_000
        corrected.recorderPpm = 0
        corrected.filters = proposal.bands.map { band in
            let make = band.kind == .peak ? SweepStudio.Filter.peak : SweepStudio.Filter.lowShelf
            return make(band.frequency, band.gain, band.q, 48_000)
        }
        let measured = try corrected.measured().response.smoothed(octaves: 1.0 / 6)
        // Both are relative to their own middle.
        let offset = proposal.after.mean(in: 600...2_000) - measured.mean(in: 600...2_000)
        let differences = zip(proposal.after.decibels, measured.decibels).map { $0 - $1 - offset }
        let worst = zip(FrequencyResponse.frequencies, differences).filter { (25...15_000).contains($0.0) }
            .max { abs($0.1) < abs($1.1) }
        #expect(abs(worst?.1 ?? 9) < 0.2, "\(String(describing: worst))")
    }

    @Test func noBoostClips() throws {
        for target in [ResponseTarget.flat, .room] {
            let proposal = CorrectionProposal(try SweepStudio(noise: 50).measured(), .init(target: target))
            let highest = CorrectionProposal.correction(proposal.bands).max() ?? 0
            #expect(highest + proposal.headroom <= 1e-9, "\(describe(proposal))")
            #expect(proposal.headroom <= 0 && proposal.headroom >= -4.2)
            guard case .gain(let gain)? = proposal.chain.effects.first, proposal.chain.effects.count == 2 else {
                return #expect(Bool(false), "\(proposal.chain)")
            }
            #expect(gain == proposal.headroom)
        }
    }

    @Test func aNarrowNullIsLeftAlone() throws {
        // A strong reflection cancels every 1 / 5 ms from 100 Hz on.
        let studio = SweepStudio(
            paths: [.init(seconds: 0.01, gain: 1), .init(seconds: 0.015, gain: 0.95)], modes: [], noise: 60)
        let proposal = CorrectionProposal(try studio.measured(), .init(target: .flat))
        let correction = FrequencyResponse(decibels: CorrectionProposal.correction(proposal.bands))
        for null in [300.0, 500] {
            #expect(correction.level(at: null) < 0.7, "\(null): \(describe(proposal))")
        }
    }

    @Test func aSmallLoudspeakerIsNotDrivenBelowItsEnd() throws {
        let passes = [95.0, 95].map { SweepStudio.Filter.highPass($0, sampleRate: 48_000) }
        let studio = SweepStudio(modes: [], noise: 60, filters: passes)
        let proposal = CorrectionProposal(try studio.measured())
        let correction = FrequencyResponse(decibels: CorrectionProposal.correction(proposal.bands))
        #expect(correction.level(at: 40) < 1 && correction.level(at: 25) < 0.5, "\(describe(proposal))")
    }

    @Test func nothingIsDoneAboveTheRange() throws {
        for upTo in [150.0, 300, 2_000] {
            let proposal = CorrectionProposal(try Self.measured.get(), .init(upTo: upTo))
            let correction = FrequencyResponse(decibels: CorrectionProposal.correction(proposal.bands))
            let above = zip(FrequencyResponse.frequencies, correction.decibels).filter { $0.0 > 1.6 * upTo }.map {
                abs($0.1)
            }
            #expect((above.max() ?? 0) < 0.6, "\(upTo): \(describe(proposal))")
            #expect(proposal.bands.allSatisfy { $0.frequency <= upTo })
            #expect(proposal.range.upperBound == upTo)
        }
    }

    @Test func aRoomThatIsRightNeedsNothing() throws {
        let studio = SweepStudio(paths: [.init(seconds: 0.01, gain: 1)], modes: [], noise: 70)
        let proposal = CorrectionProposal(try studio.measured(), .init(target: .flat))
        #expect(proposal.bands.isEmpty && proposal.chain == EffectChain() && proposal.headroom == 0)
        #expect(proposal.deviationBefore < 0.1)
    }

    @Test func theTextIsAChain() throws {
        let proposal = CorrectionProposal(try SweepStudio(noise: 50).measured())
        let lines = proposal.text(title: "kitchen\nchain: x").split(separator: "\n").map(String.init)
        #expect(lines.count == 5 && lines[0] == "# kitchen chain: x" && lines[2] == "chain:", "\(lines)")
        #expect(lines[3].hasPrefix("  - \"gain -") && lines[3].hasSuffix("\""))
        #expect(lines[4].hasPrefix("  - \"eq ") && lines[4].split(separator: ";").count == proposal.bands.count)
        #expect(CorrectionProposal.text(EQBand(.peak, frequency: 62, gain: -5.1, q: 4)) == "peak 62 -5.1 4")
        #expect(CorrectionProposal.text(EQBand(.lowShelf, frequency: 80.5, gain: 3, q: 0.75)) == "lowshelf 80.5 3 0.75")
        #expect(CorrectionProposal.text(EQBand(.peak, frequency: 1_000, gain: -0.04, q: 1.05)) == "peak 1000 0 1.05")
    }

    @Test func settingsOutsideTheirLimitsAreClamped() throws {
        let measured = try Self.measured.get()
        for upTo in [-1.0, 0, .nan, .infinity, 1e9] {
            let proposal = CorrectionProposal(measured, .init(upTo: upTo, maximumBands: 3))
            #expect(proposal.bands.count <= 3)
            #expect(CorrectionProposal.upperLimits.contains(proposal.range.upperBound))
        }
        #expect(CorrectionProposal(measured, .init(maximumBands: -4)).bands.count <= 1)
    }
}

@Suite struct ResponseTargetTests {
    @Test func levelsLieOnStraightLines() throws {
        let target = try ResponseTarget(text: "# mine\n50 4 # bass\n\n200, 0\r\n12800\t-3\n")
        #expect(target.points.count == 3)
        #expect(target.level(at: 20) == 4 && target.level(at: 20_000) == -3)
        #expect(abs(target.level(at: 100) - 2) < 1e-9 && abs(target.level(at: 1_600) + 1.5) < 1e-9)
        #expect(ResponseTarget.flat.level(at: 31) == 0)
        #expect(ResponseTarget.room.level(at: 30) == 3 && ResponseTarget.room.level(at: 500) == 0)
    }

    @Test func whatIsNoTargetIsNamed() {
        #expect(throws: ResponseTarget.Failure.count(0)) { try ResponseTarget(text: "# nothing\n") }
        #expect(throws: ResponseTarget.Failure.line(2)) { try ResponseTarget(text: "50 1\nhello\n") }
        #expect(throws: ResponseTarget.Failure.line(1)) { try ResponseTarget(text: "50 nan") }
        #expect(throws: ResponseTarget.Failure.line(1)) { try ResponseTarget(text: "inf 0") }
        #expect(throws: ResponseTarget.Failure.line(1)) { try ResponseTarget(text: "50 1 2") }
        #expect(throws: ResponseTarget.Failure.line(1)) { try ResponseTarget(text: "50 41") }
        #expect(throws: ResponseTarget.Failure.order(line: 3)) { try ResponseTarget(text: "50 1\n\n50 2") }
        let long = (1...1_001).map { "\(Double($0) + 10) 0" }.joined(separator: "\n")
        #expect(throws: ResponseTarget.Failure.count(1_001)) { try ResponseTarget(text: long) }
    }
}
