import Testing
import TuttiCommandLine

@Suite struct SyncChartTests {
    /// The lines right of the scale, without reverse video.
    private func bars(_ samples: [Double?], width: Int = 13, rows: Int) -> [String] {
        SyncChart.lines(samples, unit: "µs", width: width, rows: rows).map { String($0.dropFirst(9)) }
    }

    @Test func drawsLateUpwardsAndEarlyDownwards() {
        // The scale is 10: half a row of eight is 5.
        #expect(bars([10, 5, -5, -10], rows: 2) == ["█▄  ", "  \u{1B}[7m▄\u{1B}[27m█"])
        #expect(bars([10, 5, -10, -7.5], rows: 4) == ["█   ", "██  ", "  ██", "  █\u{1B}[7m▄\u{1B}[27m"])
    }

    @Test func showsWhatIsNearlyNothingAndLeavesGapsEmpty() {
        #expect(bars([0, nil, 0.01, -0.01], rows: 2) == ["▁ ▁ ", "   \u{1B}[7m▇\u{1B}[27m"])
        #expect(bars([.nan, nil, .nan, nil], rows: 2) == ["    ", "    "])
    }

    @Test func keepsTheNewestAtTheRight() {
        #expect(bars([5], rows: 2) == ["   █", "    "])
        #expect(bars([5, nil, nil, nil, nil], rows: 2) == ["    ", "    "])
    }

    @Test(arguments: [
        (0.0, 5.0), (4.9, 5), (5, 5), (5.1, 10), (-10.1, 20), (21, 50), (99, 100), (12_345, 20_000), (1e300, 1e12),
    ])
    func scalesInRoundSteps(sample: Double, scale: Double) {
        #expect(SyncChart.scale(of: [nil, sample, .nan]) == scale)
    }

    @Test func adaptsToWhatIsShownAlone() {
        let lines = SyncChart.lines([900, 3, 3, 3, 3], unit: "µs", width: 13, rows: 4)
        #expect(lines.map { String($0.prefix(9)) } == ["  +5 µs │", "        │", "      0 │", "  -5 µs │"])
    }

    @Test(arguments: [0, 1, 5, 9, 10, 80, 500], [-1, 0, 1, 2, 7, 40])
    func fitsItsWidthAndNeverTraps(width: Int, rows: Int) {
        let samples: [Double?] = [0, nil, .nan, .infinity, -.infinity, 1e308, -1e-308, 3]
        let lines = SyncChart.lines(samples + samples, unit: "µs", width: width, rows: rows)
        #expect(lines.count == max(2, rows / 2 * 2))
        for line in lines {
            let plain = line.replacing("\u{1B}[7m", with: "").replacing("\u{1B}[27m", with: "")
            #expect(plain.count == max(9, width))
        }
    }
}
