/// The figures of one run: how far rooms were apart, and how they took what was done to them.
package struct BenchFigures: Sendable, Codable, Equatable {
    /// How the offsets took an event.
    package struct Effect: Sendable, Codable, Equatable {
        package var text: String
        /// Seconds after the first sound.
        package var seconds: Double
        /// How far the median offset of a pair moved, µs; the pair that moved most. From the 3 s before the event to
        /// the 3 s that begin half a second after it; of an event that lasts, to the 3 s before the next one or the
        /// song's end.
        package var shiftMicroseconds: Double
        /// The largest |offset| from the event to the next, µs.
        package var worstMicroseconds: Double
    }

    /// How a room came back after a break of its card.
    package struct Recovery: Sendable, Codable, Equatable {
        package var room: String
        /// When the last frame before the break left, seconds after the first sound.
        package var seconds: Double
        /// For how long the card did not run, ms.
        package var breakMilliseconds: Double
        /// Silence beyond that, ms.
        package var silenceMilliseconds: Double
        /// The first |offset| after the break, µs; the worst pair of the room.
        package var firstMicroseconds: Double
        /// Seconds from the break until the room sounds again and all offsets that follow, for 5 s, are inside 20 µs.
        package var insideAfterSeconds: Double
    }

    /// How a room came back whose speaker was started or went on, or how it came that was added.
    package struct Return: Sendable, Codable, Equatable {
        package var room: String
        /// From that to its first sound.
        package var seconds: Double
        /// The largest |offset| in the second after that, µs; the worst pair of the room.
        package var worstMicroseconds: Double

        package init(room: String, seconds: Double, worstMicroseconds: Double) {
            self.room = room
            self.seconds = seconds
            self.worstMicroseconds = worstMicroseconds
        }
    }

    /// The spread of |offset| over all pairs, by the raw value of `BenchPhase`; without those that have no window.
    package var spreads: [String: ComparisonReport.Spread]
    /// The same over the rooms on wires, where others are among them.
    package var wired: [String: ComparisonReport.Spread]?
    /// The same over the last minute: what the speakers' own figures are about.
    package var lastMinute: ComparisonReport.Spread?
    /// The largest |offset| of a pair's first window, µs.
    package var firstMicroseconds: Double?
    package var effects: [Effect]
    package var recoveries: [Recovery]
    /// How long rooms took whose speakers were started again or went on, or that were added.
    package var returns: [Return]?
    /// Underruns of all cards that were not forced.
    package var underruns: Int
    /// Silences where the song has none, ms; the worst room.
    package var gapMilliseconds: Double
    /// The share of the song that was played, percent; the worst room.
    package var completeness: Double

    /// The spread of a part of the run.
    package subscript(phase: BenchPhase) -> ComparisonReport.Spread? { spreads[phase.rawValue] }

    /// - Parameters:
    ///   - report: rooms against each other.
    ///   - unobservable: by how many µs a room is late because nothing can show it; taken off.
    ///   - events: what was done while the song played.
    ///   - wiredRooms: the rooms on wires.
    package init(
        _ report: ComparisonReport, unobservable: [String: Double] = [:], events: [BenchEvent.Record] = [],
        wiredRooms: Set<String> = []
    ) {
        let pairs = report.pairs.map { $0.relieved(of: unobservable) }
        spreads = Self.spreads(pairs)
        let wiredPairs = pairs.filter { wiredRooms.contains($0.first) && wiredRooms.contains($0.second) }
        wired = wiredPairs.isEmpty || wiredPairs.count == pairs.count ? nil : Self.spreads(wiredPairs)
        let end = pairs.compactMap { $0.offsets.last?.seconds }.max() ?? 0
        let latest = pairs.flatMap { $0.offsets.filter { $0.seconds > end - 60 }.map(\.microseconds) }
        lastMinute = latest.isEmpty ? nil : ComparisonReport.Spread(latest)
        firstMicroseconds = pairs.compactMap { $0.offsets.first.map { abs($0.microseconds) } }.max()
        effects = Self.effects(events, of: pairs, origin: report.firstSoundRawNanoseconds)
        recoveries = report.rooms.flatMap { Self.recoveries(of: $0, pairs, origin: report.firstSoundRawNanoseconds) }
            .sorted { $0.seconds < $1.seconds }
        returns = report.rooms.flatMap { Self.returns(of: $0, events, pairs, origin: report.firstSoundRawNanoseconds) }
        let forced = events.count { $0.text.hasPrefix("xrun") }
        underruns = max(0, report.rooms.reduce(0) { $0 + $1.underruns } - forced)
        gapMilliseconds = report.rooms.map(\.gapMilliseconds).max() ?? 0
        completeness = report.rooms.map(\.completeness).min() ?? 0
    }

    private static func spreads(_ pairs: [ComparisonReport.Pair]) -> [String: ComparisonReport.Spread] {
        var values: [BenchPhase: [Double]] = [:]
        for pair in pairs {
            guard let first = pair.offsets.first else { continue }
            for offset in pair.offsets {
                for phase in BenchPhase.allCases where phase.contains(offset.seconds - first.seconds) {
                    values[phase, default: []].append(offset.microseconds)
                }
            }
        }
        return Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, ComparisonReport.Spread($0.value)) })
    }
}

// MARK: - Events

extension BenchFigures {
    private static func effects(
        _ events: [BenchEvent.Record], of pairs: [ComparisonReport.Pair], origin: Int64
    ) -> [Effect] {
        let times = events.map { Double($0.rawNanoseconds - origin) / 1e9 }
        let end = pairs.flatMap { $0.offsets.map(\.seconds) }.max() ?? 0
        return events.indices.map { index in
            let time = times[index]
            let next = index + 1 < times.count ? times[index + 1] : end
            let late = events[index].lasts ? max(time, next - 3) : time + 0.5
            let shifts = pairs.compactMap { pair -> Double? in
                guard let before = median(pair, time - 3..<time), let after = median(pair, late..<late + 3) else {
                    return nil
                }
                return abs(after - before)
            }
            let worst = pairs.flatMap(\.offsets).filter { $0.seconds >= time && $0.seconds < max(time, next) }
            return Effect(
                text: events[index].text, seconds: time, shiftMicroseconds: shifts.max() ?? 0,
                worstMicroseconds: worst.map { abs($0.microseconds) }.max() ?? 0)
        }
    }

    private static func median(_ pair: ComparisonReport.Pair, _ range: Range<Double>) -> Double? {
        let values = pair.offsets.filter { range.contains($0.seconds) }.map(\.microseconds).sorted()
        return values.isEmpty ? nil : values[values.count / 2]
    }

    private static func returns(
        of room: ComparisonReport.Room, _ events: [BenchEvent.Record], _ pairs: [ComparisonReport.Pair], origin: Int64
    ) -> [Return] {
        let own = pairs.filter { $0.first == room.name || $0.second == room.name }
        let (start, goesOn, isAdded) = (
            BenchEvent(0, .startSpeaker(room: room.name)).text, BenchEvent(0, .continueSpeaker(room: room.name)).text,
            BenchEvent(0, .addRoom(room.name)).text
        )
        return events.compactMap { event in
            let sounds =
                event.text == isAdded
                ? [room.firstSoundRawNanoseconds].compactMap(\.self) : room.resumptions.map(\.soundRawNanoseconds)
            guard [start, goesOn, isAdded].contains(event.text),
                let sound = sounds.filter({ $0 > event.rawNanoseconds }).min()
            else { return nil }
            let begin = Double(sound - origin) / 1e9
            let offsets = own.flatMap(\.offsets).filter { $0.seconds >= begin && $0.seconds < begin + 1 }
            return Return(
                room: room.name, seconds: Double(sound - event.rawNanoseconds) / 1e9,
                worstMicroseconds: offsets.map { abs($0.microseconds) }.max() ?? 0)
        }
    }

    private static func recoveries(
        of room: ComparisonReport.Room, _ pairs: [ComparisonReport.Pair], origin: Int64
    ) -> [Recovery] {
        room.resumptions.map { resumption in
            func seconds(_ time: Int64) -> Double { Double(time - origin) / 1e9 }
            let stop = seconds(resumption.stopRawNanoseconds)
            let sound = seconds(resumption.soundRawNanoseconds)
            let own = pairs.filter { $0.first == room.name || $0.second == room.name }
            let later = own.map { $0.offsets.filter { $0.seconds > sound && $0.seconds < sound + 5 } }
            // A window says something about the 50 ms to either side of its middle.
            let outside = later.joined().filter { abs($0.microseconds) > 20 }.map { $0.seconds + 0.05 }.max()
            return Recovery(
                room: room.name, seconds: stop,
                breakMilliseconds: 1000 * (seconds(resumption.restartRawNanoseconds) - stop),
                silenceMilliseconds: 1000 * (sound - seconds(resumption.restartRawNanoseconds)),
                firstMicroseconds: later.compactMap { $0.first.map { abs($0.microseconds) } }.max() ?? 0,
                insideAfterSeconds: (outside ?? sound) - stop)
        }
    }
}

extension ComparisonReport.Pair {
    /// The pair's offsets without what nothing can show.
    /// - Parameter unobservable: by how many µs each room is late.
    package func relieved(of unobservable: [String: Double]) -> ComparisonReport.Pair {
        let extra = (unobservable[second] ?? 0) - (unobservable[first] ?? 0)
        guard extra != 0 else { return self }
        var pair = self
        for index in pair.offsets.indices { pair.offsets[index].microseconds -= extra }
        return pair
    }
}
