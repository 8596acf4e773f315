/// What a case is to reach.
package struct BenchMark: Sendable, Equatable {
    /// What is held against the limit.
    package enum Figure: Sendable, Equatable {
        /// The 99th percentile of |pair offset| in a part of the run, µs.
        case p99(BenchPhase)
        /// The same over the rooms whose links are wires.
        case wiredP99(BenchPhase)
        /// From the command until every room holds the whole song, seconds.
        case loaded
        /// From the command until every measured room sounds, seconds.
        case sound
        /// Percent of one core that the sender takes once all is loaded.
        case sender
        /// Silence after a break beyond the time in which the card did not run, ms.
        case silence
        /// Seconds from a break until all later offsets are inside 20 µs.
        case recovery
        /// Seconds from the start of a speaker, its going on, or the command to add it, to the first sound of its room
        /// after that.
        case back
        /// Seconds from the start of a service that was killed until it is known that a room holds more than before.
        case feeding
        /// How far the median offsets moved by what was done to the rooms, µs.
        case shift
        /// Underruns of the cards that were not forced.
        case underruns
        /// Silences where the song has none, ms.
        case gaps
        /// From a command's start to the ear, ms: the slowest room, the slowest time.
        case command(SteeringKind)
        /// The 99th percentile of |pair offset| in the second after commands, µs.
        case apart
        /// Clicks where commands took effect.
        case commandClicks
    }

    package var figure: Figure
    package var limit: Double
    /// Better than the limit, and wanted; nil for none.
    package var goal: Double?

    package init(_ figure: Figure, _ limit: Double, goal: Double? = nil) {
        self.figure = figure
        self.limit = limit
        self.goal = goal
    }

    /// As the tables show it: "0 – 10 s ≤ 250 µs".
    package var text: String {
        let bound = limit.shortText
        let wanted = goal.map { " (goal \($0.shortText))" } ?? ""
        return switch figure {
        case .p99(.whole): "≤ \(bound) µs\(wanted)"
        case .p99(let phase): "\(phase.rawValue) ≤ \(bound) µs\(wanted)"
        case .wiredP99(let phase): "wired, \(phase.rawValue) ≤ \(bound) µs\(wanted)"
        case .loaded: "loaded in \(bound) s\(wanted)"
        case .sound: "sounds in \(bound) s\(wanted)"
        case .sender: "sender ≤ \(bound) %\(wanted)"
        case .silence: "silence ≤ xrun + \(bound) ms"
        case .recovery: "inside 20 µs within \(bound) s"
        case .back: "back within \(bound) s\(wanted)"
        case .feeding: "fed within \(bound) s\(wanted)"
        case .shift: "moved ≤ \(bound) µs"
        case .underruns: limit == 0 ? "no xrun" : "xruns ≤ \(bound)"
        case .gaps: limit == 0 ? "no gap" : "gaps ≤ \(bound) ms"
        case .command(let kind): "\(kind.rawValue) ≤ \(bound) ms"
        case .apart: "together ≤ \(bound) µs"
        case .commandClicks: limit == 0 ? "no click" : "clicks ≤ \(bound)"
        }
    }

    /// What a run gave for it; nil when it has no such figure.
    package func value(of result: BenchResult) -> Double? {
        let figures = result.figures
        let steering = result.steering
        return switch figure {
        case .p99(let phase): figures?.spreads[phase.rawValue]?.p99
        case .wiredP99(let phase): figures?.wired?[phase.rawValue]?.p99
        case .loaded: result.loadedMilliseconds.map { $0 / 1000 }
        case .sound: result.commandToSoundMilliseconds.map { $0 / 1000 }
        case .sender: result.loads.first?.processorPercent
        case .silence: figures?.recoveries.map(\.silenceMilliseconds).max()
        case .recovery: figures?.recoveries.map(\.insideAfterSeconds).max()
        case .back: figures?.returns?.map(\.seconds).max()
        case .feeding: result.feedings?.compactMap { $0.values.min() }.max()
        case .shift: figures?.effects.map(\.shiftMicroseconds).max()
        case .underruns: figures.map { Double($0.underruns) }
        case .gaps: figures?.gapMilliseconds
        case .command(let kind): steering?.heard(kind, .program).last
        case .apart: steering?.apart()?.p99
        case .commandClicks: steering.map { Double($0.clicks) }
        }
    }
}
