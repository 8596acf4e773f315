/// What the recordings of rooms must show for a house to pass.
package enum HouseMarks {
    /// The 99th percentile of how far rooms are apart, µs.
    package static let apart = 20.0
    /// How far a room may be from the others in the first second after it has come back, µs.
    package static let returning = 1000.0
    /// Seconds from the command that adds a room to its first sound.
    package static let joining = 3.0
    /// Seconds from a container's start, or its going on, to its first sound.
    package static let back = 4.0

    /// Why a room's music is not whole and without a break from its first sound to the song's end; empty when it is.
    ///
    /// - Parameter start: where in the song it begins, seconds; the rest must all be there.
    package static func breaks(in room: ComparisonReport.Room, of seconds: Double, from start: Double = 0) -> [String] {
        guard room.firstSoundRawNanoseconds != nil else { return ["\(room.name) is silent"] }
        var faults: [String] = []
        if !room.gaps.isEmpty { faults.append("\(room.name) has gaps: \(room.gaps)") }
        if room.jumps > 0 { faults.append("\(room.name) jumps \(room.jumps) times") }
        if room.underruns > 0 { faults.append("\(room.name)'s card ran empty \(room.underruns) times") }
        let wanted = 99.5 * (seconds - start) / seconds
        if room.completeness < wanted {
            faults.append("\(room.name) played \(text(room.completeness)) % of the song, not \(text(wanted)) %")
        }
        return faults
    }

    /// How far rooms were apart, without the second after each return.
    package static func spread(
        _ report: ComparisonReport, without returns: [(room: String, rawNanoseconds: Int64)] = []
    ) -> ComparisonReport.Spread {
        let quiet = returns.map {
            (room: $0.room, at: Double($0.rawNanoseconds - report.firstSoundRawNanoseconds) / 1e9)
        }
        let offsets = report.pairs.flatMap { pair in
            pair.offsets.filter { offset in
                !quiet.contains {
                    ($0.room == pair.first || $0.room == pair.second) && ($0.at..<$0.at + 1).contains(offset.seconds)
                }
            }
        }
        return ComparisonReport.Spread(offsets.map(\.microseconds))
    }

    /// Why rooms are not in step; empty when they are.
    package static func faults(of spread: ComparisonReport.Spread) -> [String] {
        guard spread.count > 10 else { return ["the rooms played together for only \(spread.count) windows"] }
        return spread.p99 <= apart ? [] : ["99 % of the time within \(text(spread.p99)) µs, not \(text(apart))"]
    }

    /// Why a room did not come back as it should; empty when it did.
    package static func faults(of back: BenchFigures.Return?, in room: String) -> [String] {
        guard let back else { return ["\(room) did not come back"] }
        var faults: [String] = []
        if back.seconds > Self.back { faults.append("\(room) was back after \(text(back.seconds)) s") }
        if back.worstMicroseconds > returning {
            faults.append("\(room) came back \(text(back.worstMicroseconds)) µs off")
        }
        return faults
    }

    /// A number with one digit behind the point.
    package static func text(_ value: Double) -> String { String((value * 10).rounded() / 10) }

    /// `p99 7.3 µs, worst 12.1 µs`.
    package static func text(_ spread: ComparisonReport.Spread) -> String {
        "p99 \(text(spread.p99)) µs, worst \(text(spread.max)) µs"
    }
}
