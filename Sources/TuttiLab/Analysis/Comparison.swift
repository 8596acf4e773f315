import Foundation
import TuttiSignal

/// Measures rooms against each other and against the source, from recordings with truth.
package struct Comparison: Sendable {
    private let source: [Float]
    private let cards: [CardRecording]
    private let origin: Int64
    private let commandTime: Int64?
    private let estimators = WindowEstimators()

    /// A comparison of cards that played `source`; `commandTime` (raw ns) is when the command to play was given.
    package init(source: WaveFile, cards: [CardRecording], commandTime: Int64? = nil) {
        self.source = Self.onAxis(source)
        self.cards = cards
        self.commandTime = commandTime
        origin = cards.flatMap { $0.truth.runs.map(\.start) }.min() ?? 0
    }

    /// The source at the axis's rate.
    static func onAxis(_ source: WaveFile) -> [Float] {
        let signal = source.correlationSignal()
        let step = Double(source.sampleRate) / RoomTrack.rate
        return SincInterpolator(ratio: max(step, RoomTrack.bandLimit))
            .samples(of: signal, start: 0, step: step, count: Int(Double(signal.count) / step))
    }

    /// Measures everything.
    package func report() -> ComparisonReport {
        let tracks = cards.map { RoomTrack($0, origin: origin) }
        let first = tracks.compactMap { $0.audible?.lowerBound }.min() ?? 0
        let windows = MeasurementWindow.schedule(
            beginnings: tracks.flatMap { $0.sounding.map(\.lowerBound) }, end: tracks.map(\.samples.count).max() ?? 0)
        let aligner = SourceAligner(source: source, estimators: estimators)
        let maps = tracks.map { PlaybackMap(alignments: aligner.align($0, windows)) }
        let rooms = zip(cards, zip(tracks, maps)).map { room($0, $1.0, $1.1) }
        var pairs: [ComparisonReport.Pair] = []
        for one in tracks.indices {
            for other in tracks.indices where other > one {
                pairs.append(pair((tracks[one], maps[one]), (tracks[other], maps[other]), first))
            }
        }
        return ComparisonReport(rooms: rooms, pairs: pairs, firstSoundRawNanoseconds: rawTime(Double(first)))
    }

    private func room(_ card: CardRecording, _ track: RoomTrack, _ map: PlaybackMap) -> ComparisonReport.Room {
        let firstSound = track.audible.map { rawTime(Double($0.lowerBound)) }
        let presence = PresenceCheck(source: source, room: track, map: map)
        let gaps = presence.gaps(gain: gain(track, map))
        let fidelity = ContentCheck(source: source, room: track, map: map).fidelity(gaps: gaps)
        let run = card.truth.runs.first
        return ComparisonReport.Room(
            name: card.name,
            firstSoundRawNanoseconds: firstSound,
            commandToSoundMilliseconds: commandTime.flatMap { command in firstSound.map { Double($0 - command) / 1e6 }
            },
            mediaZeroRawNanoseconds: map.alignments.first.map { rawTime(Double($0.center) - $0.media) },
            completeness: 100 * presence.completeness(),
            gaps: gaps,
            gapMilliseconds: gaps.reduce(0) { $0 + $1.milliseconds },
            clicks: fidelity.clicks,
            jumps: map.jumps.count,
            underruns: card.truth.underruns,
            resumptions: resumptions(card, track),
            contentDecibels: fidelity.decibels,
            ratePpm: map.drift.map { $0 * 1e6 },
            cardRate: run?.rate ?? 0,
            cardPpm: run?.ppm ?? 0)
    }

    /// The breaks of a card's runs, from the last frame of one to the first sound of the next that is heard.
    private func resumptions(_ card: CardRecording, _ track: RoomTrack) -> [ComparisonReport.Resumption] {
        zip(track.sounding, track.sounding.dropFirst()).map { before, after in
            let run = track.covered.first { $0.upperBound == after.upperBound } ?? after
            return ComparisonReport.Resumption(
                stopRawNanoseconds: rawTime(Double(before.upperBound)),
                restartRawNanoseconds: rawTime(Double(run.lowerBound)),
                soundRawNanoseconds: rawTime(Double(after.lowerBound)))
        }
    }

    private func rawTime(_ sample: Double) -> Int64 { origin + Int64((sample / RoomTrack.rate * 1e9).rounded()) }

    /// The room's volume: the median ratio of levels of aligned windows.
    private func gain(_ track: RoomTrack, _ map: PlaybackMap) -> Double {
        let ratios = map.alignments.compactMap { alignment -> Double? in
            let half = alignment.size / 2
            let media = Int(alignment.media)
            guard media >= half, media + half <= source.count else { return nil }
            let wanted = RoomTrack.level(source[media - half..<media + half])
            return wanted > 0 ? track.level(alignment.center - half..<alignment.center + half) / wanted : nil
        }
        return ratios.isEmpty ? 1 : ratios.sorted()[ratios.count / 2]
    }

    private func pair(
        _ one: (track: RoomTrack, map: PlaybackMap), _ other: (track: RoomTrack, map: PlaybackMap), _ first: Int
    ) -> ComparisonReport.Pair {
        let places = Dictionary(
            other.map.alignments.map { ($0.center, $0.media) }, uniquingKeysWith: { earlier, _ in earlier })
        var offsets: [ComparisonReport.Offset] = []
        for (index, alignment) in one.map.alignments.enumerated() {
            guard let media = places[alignment.center], !isSharedCut(index, one.map.alignments, places),
                let lag = lag(one.track, other.track, alignment, near: alignment.media - media)
            else { continue }
            offsets.append(
                ComparisonReport.Offset(
                    seconds: Double(alignment.center - first) / RoomTrack.rate,
                    microseconds: lag / RoomTrack.rate * 1e6))
        }
        return ComparisonReport.Pair(first: one.track.name, second: other.track.name, offsets: offsets)
    }

    /// Whether window `index` lies across a cut that both rooms made (a seek, a skip), and each room's alignment took
    /// another side of it. Which side is likelier is chance where a window holds some of both: it says nothing about
    /// time. A room that cuts later than the other by more than a window's length is seen in the windows beside it.
    private func isSharedCut(
        _ index: Int, _ alignments: [SourceAligner.Alignment], _ places: [Int: Double]
    ) -> Bool {
        func lines(_ index: Int) -> (one: Double, other: Double)? {
            guard alignments.indices.contains(index), let media = places[alignments[index].center] else { return nil }
            let center = Double(alignments[index].center)
            return (alignments[index].media - center, media - center)
        }
        func isSame(_ one: Double, _ other: Double) -> Bool { abs(one - other) < PlaybackMap.jumpThreshold }
        guard let before = lines(index - 1), let here = lines(index), let after = lines(index + 1),
            isSame(before.one, before.other), isSame(after.one, after.other), !isSame(here.one, here.other)
        else { return false }
        return [here.one, here.other].allSatisfy { isSame($0, before.one) || isSame($0, after.one) }
    }

    /// Samples by which `other` lags `one` in the window of `one`'s alignment, when the source says about `expected`.
    private func lag(
        _ one: RoomTrack, _ other: RoomTrack, _ alignment: SourceAligner.Alignment, near expected: Double
    ) -> Double? {
        estimators[alignment.size].delay(
            of: other.samples, behind: one.samples, around: alignment.center, near: Int(expected.rounded()), limit: 48
        )?.samples
    }
}
