import Testing
import TuttiClock
import TuttiCore

/// How well two rooms agree, and whether they know how well.
struct AccuracyTests {
    static let trials: [Trial] = [
        Trial(profile: .lan, windows: [(0.4...1, 3.5), (1...5, 2.5), (5...30, 2.5), (30...60, 1.7)]),
        Trial(profile: .lan, knowledge: .drift, windows: [(0.4...1, 1.7), (1...30, 2.6)]),
        Trial(profile: .lan, ppmPerMinute: 1, windows: [(0.4...5, 3.5), (5...30, 4), (30...100, 4)]),
        Trial(profile: .lan.twice, windows: [(0.4...5, 12), (5...60, 6.6)]),
        Trial(profile: .busy, windows: [(3...10, 15), (10...30, 10), (30...60, 5)]),
        Trial(profile: .wifi, windows: [(0.4...10, 100), (10...30, 45), (30...60, 25)]),
        Trial(profile: .wifi, knowledge: .drift, windows: [(0.4...10, 60), (10...60, 25)]),
        Trial(profile: .wifi.twice, knowledge: .line(pause: 5), windows: [(0...10, 36), (10...60, 35)]),
        Trial(profile: .wifi.twice, knowledge: .line(pause: 60), windows: [(0...10, 45), (10...60, 35)]),
        Trial(profile: .badwifi, windows: [(60...100, 60)]),
        Trial(profile: .badwifi, knowledge: .line(pause: 60), windows: [(0...60, 50)]),
        Trial(profile: .badwifi.twice, knowledge: .line(pause: 5), windows: [(0...10, 45), (10...60, 45)]),
    ]

    @Test(arguments: trials) func roomsAgreeAndKnowHowWell(trial: Trial) {
        let result = trial.run(count: 24)
        // Two hops that delay no more than stamps are uncertain are the hardest to tell from one.
        let limits = trial.profile.name == "lan×2" ? (typical: 1.9, rare: 5.5) : (typical: 1.7, rare: 4)
        for (index, difference) in result.pairs(0.99).enumerated() {
            #expect(difference <= trial.windows[index].limit, "\(trial.windows[index].seconds) s")
            #expect(
                (0.5...limits.typical).contains(percentile(result.scores[index], 0.68)),
                "\(trial.windows[index].seconds) s")
            #expect(percentile(result.scores[index], 0.99) <= limits.rare, "\(trial.windows[index].seconds) s")
        }
    }
}
