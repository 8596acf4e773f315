import Testing
import TuttiAssets
import TuttiCore

/// Which timestamps of pictures are left out.
struct LoneTimestampsTests {
    private static let far: Int64 = 2_000

    /// What is left of times in ms.
    private func left(_ times: [Int64?]) -> [Int64?] {
        var stamps = LoneTimestamps<Int>(far: Self.far)
        var result: [LoneTimestamps<Int>.Judged] = []
        for (index, time) in times.enumerated() {
            stamps.append(index, presentation: time, decoding: time, duration: 40)
            while let next = stamps.popFirst() { result.append(next) }
        }
        stamps.finish()
        while let next = stamps.popFirst() { result.append(next) }
        #expect(result.map(\.picture) == Array(times.indices))
        #expect(result.map(\.presentation) == result.map(\.decoding))
        return result.map(\.presentation)
    }

    @Test func timesOfWholeFilmsStayAsTheyAre() {
        let film = (0..<100).map { Int64($0) * 40 }
        #expect(left(film) == film)
        // Reordered pictures, slides, a cut forwards and one back, and pictures without times.
        let reordered = [0, 160, 80, 40, 120, 320, 240, 200, 280] as [Int64]
        #expect(left(reordered) == reordered)
        let slides = [0, 60_000, 120_000, 600_000] as [Int64]
        #expect(left(slides) == slides)
        for cut in [90_000, -90_000] as [Int64] {
            let times = film + film.map { $0 + 100_000 + cut }
            #expect(left(times) == times)
        }
        #expect(left([nil, 0, nil, 40]) == [nil, 0, nil, 40] && left([]) == [])
    }

    @Test func singleOnesAreLeftOutAlsoSomeInARow() {
        var random = SplitMix64(seed: 11)
        let film = (0..<2_000).map { Int64($0) * 40 }
        var broken: [Int64?] = film
        var wrong: Set<Int> = []
        for index in film.indices.dropFirst(10).dropLast(10) where random.next() % 7 == 0 {
            let shift = Int64(random.next() % 50_000) + 3_000
            broken[index] = random.next() % 2 == 0 ? film[index] + shift : film[index] - shift
            wrong.insert(index)
        }
        let result = left(broken)
        let missed = film.indices.count { wrong.contains($0) && result[$0] != nil }
        let lost = film.indices.count { !wrong.contains($0) && result[$0] == nil }
        #expect(missed <= 6 && lost == 0, "missed \(missed), lost \(lost)")
    }

    @Test func anyNumbersAreTaken() {
        let times: [Int64?] = [.min, .max, 0, .max, .min, nil, 1, .max - 1, 2]
        #expect(left(times).count == times.count)
    }
}
