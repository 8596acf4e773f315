/// Finds in the recordings of rooms when they obeyed commands, how exactly together, and whether that clicked.
///
/// Between two commands a room plays along a line (sample of true time to sample of the song) or is silent. What it
/// plays is held against the line before a command and the line after it, millisecond by millisecond.
package struct SteeringAnalysis: Sendable {
    /// A millisecond on the axis.
    static let block = 48
    /// What departs from a line by more than this share of its level has left it.
    private static let departed = 0.05
    /// What departs from a line by less than this share of its level has come to it: the middle of a ramp.
    private static let arrived = 0.5
    /// The longest that a command is given, in samples: 1.4 s.
    private static let patience = 67_200
    /// Samples between the windows for the line after a command and the next command, 30 ms.
    private static let margin = 1_440
    /// Seconds around the place where a room is expected to be that are searched.
    private static let reach = 2.0

    private let source: SourceLines
    private let tracks: [RoomTrack]
    private let origin: Int64

    /// An analysis of what cards played of a song, from the first run on.
    package init(source: WaveFile, cards: [CardRecording]) {
        let origin = cards.flatMap { $0.truth.runs.map(\.start) }.min() ?? 0
        self.origin = origin
        self.source = SourceLines(Comparison.onAxis(source))
        tracks = cards.map { RoomTrack($0, origin: origin) }
    }

    /// What became of the commands, which are in the order of time.
    package func figures(of commands: [SteeringStep.Record]) -> SteeringFigures {
        var stories = tracks.map { track in RoomStory(line: firstLine(track)) }
        var effects: [SteeringEffect] = []
        for (index, command) in commands.enumerated() {
            let start = sample(command.rawNanoseconds)
            let next = index + 1 < commands.count ? sample(commands[index + 1].rawNanoseconds) : start + Self.patience
            var effect = SteeringEffect(command: command)
            // What it changes is heard later.
            if let refilled = command.refilledMilliseconds {
                effect.heardMilliseconds = refilled
                effects.append(effect)
                continue
            }
            var arrivals: [Int?] = []
            for room in tracks.indices {
                let change = follow(tracks[room], &stories[room], command, start, until: next)
                func milliseconds(_ sample: Int) -> Double {
                    Double(sample) / RoomTrack.rate * 1000 - Double(command.rawNanoseconds - origin) / 1e6
                }
                if let left = change.left { effect.changedMilliseconds[tracks[room].name] = milliseconds(left) }
                if let heard = change.heard { effect.heardMilliseconds[tracks[room].name] = milliseconds(heard) }
                effect.clicks += clicks(tracks[room], change)
                arrivals.append(change.heard)
            }
            if !command.kind.silences, let latest = arrivals.compactMap(\.self).max(), !arrivals.contains(nil) {
                effect.apartMicroseconds = apart(from: latest + 10 * Self.block, until: next - Self.margin)
            }
            effects.append(effect)
        }
        return SteeringFigures(effects: effects, rooms: tracks.count)
    }

    private func sample(_ rawNanoseconds: Int64) -> Int {
        Int((Double(rawNanoseconds - origin) / 1e9 * RoomTrack.rate).rounded())
    }

    // MARK: One room

    /// Where a room stands between two commands.
    private struct RoomStory {
        /// What it plays, or would play if it were not muted; nil while paused, and when it is not known.
        var line: SourceLines.Line?
        /// The sample of the song at which it was paused.
        var pausedAt: Double?
    }

    /// A change in one room: samples of the axis, and the lines before and after it.
    private struct Change {
        var left: Int?
        var heard: Int?
        var before: SourceLines.Line?
        var after: SourceLines.Line?
    }

    /// The line of the first sound.
    private func firstLine(_ track: RoomTrack) -> SourceLines.Line? {
        guard let audible = track.audible else { return nil }
        let start = audible.lowerBound + 9_600
        return source.line(of: track, at: start, near: 9_600, reach: Self.reach)
    }

    private func follow(
        _ track: RoomTrack, _ story: inout RoomStory, _ command: SteeringStep.Record, _ start: Int, until next: Int
    ) -> Change {
        let kind = command.kind
        let last = min(start + Self.patience, next - Self.margin)
        var change = Change()
        // What is paused or muted has no line that it could leave.
        let wasSilent = kind == .resume || kind == .unmute
        if !wasSilent, let line = story.line.flatMap({ source.level(of: track, on: $0, before: start) }) {
            change.before = line
            change.left = firstDeparture(track, line, start..<last)
        }
        if kind.silences {
            change.heard = change.left
            if kind == .pause, let line = story.line {
                story = RoomStory(line: nil, pausedAt: change.left.map { Double($0) + line.offset })
            }
            return change
        }
        let window = last - MeasurementWindow.usual
        let expected: Double? =
            switch kind {
            case .resume: story.pausedAt.map { $0 + Double(window - start) }
            case .volume, .unmute: story.line.map { Double(window) + $0.offset }
            default: command.target.map { $0 * RoomTrack.rate + Double(window - start) }
            }
        let reach = kind.jumps || kind == .resume ? Self.reach : 0.05
        let after = expected.flatMap { source.line(of: track, at: window, near: $0, reach: reach) }
        if let after { change.heard = kind == .volume ? change.left : arrival(track, after, start..<last) }
        if kind.jumps, let heard = change.heard, let target = command.target, let after {
            // Before its beginning a song is as silent as a room that waits for it.
            change.heard = max(heard, Int((target * RoomTrack.rate - after.offset).rounded()))
        }
        if wasSilent { change.left = change.heard }
        change.after = after
        story = RoomStory(line: after)
        return change
    }

    /// The first millisecond that departs from the line, and the next ten on average too.
    private func firstDeparture(_ track: RoomTrack, _ line: SourceLines.Line, _ range: Range<Int>) -> Int? {
        let departures = source.departures(of: track, from: line, in: range)
        return departures.indices.first { index in
            let following = departures[index..<min(index + 10, departures.count)]
            return departures[index] > Self.departed
                && following.reduce(0, +) > Self.departed * Double(following.count)
        }.map { range.lowerBound + $0 * Self.block }
    }

    /// Where the room has come to the line that it is on at the end of the range.
    private func arrival(_ track: RoomTrack, _ line: SourceLines.Line, _ range: Range<Int>) -> Int? {
        let departures = source.departures(of: track, from: line, in: range)
        guard let last = departures.indices.last, departures[last] < Self.arrived else { return nil }
        let before = departures.indices.dropFirst().last {
            departures[$0] > Self.arrived && departures[$0 - 1] > Self.arrived
        }
        return before.map { range.lowerBound + ($0 + 1) * Self.block }
    }

    // MARK: Rooms together

    /// |offset| of every pair in short windows, one every 50 ms for a second, in µs.
    private func apart(from start: Int, until end: Int) -> [Double] {
        let estimator = WindowEstimators()[MeasurementWindow.brief]
        var offsets: [Double] = []
        for time in stride(from: start, to: min(start + 48_000, end - MeasurementWindow.brief), by: 2_400) {
            let window = time..<time + MeasurementWindow.brief
            for one in tracks.indices {
                for other in tracks.indices where other > one {
                    guard window.upperBound <= min(tracks[one].samples.count, tracks[other].samples.count),
                        let delay = estimator.delay(
                            of: tracks[other].samples[window], behind: tracks[one].samples[window], limit: 480)
                    else { continue }
                    offsets.append(abs(delay.samples) / RoomTrack.rate * 1e6)
                }
            }
        }
        return offsets
    }

    /// Corners from just before the change until just after it that are twice as hard as any in the song there.
    private func clicks(_ track: RoomTrack, _ change: Change) -> Int {
        guard let first = change.left ?? change.heard, let last = change.heard ?? change.left else { return 0 }
        let range = max(1, first - 5 * Self.block)..<min(track.samples.count - 1, last + 25 * Self.block)
        guard range.count > 2 else { return 0 }
        let own = [change.before, change.after].compactMap(\.self).map { source.hardestCorner(of: $0, in: range) }
        let limit = max(0.02, 2 * (own.max() ?? 0))
        var found: [Int] = []
        for index in range {
            let corner = track.samples[index + 1] - 2 * track.samples[index] + track.samples[index - 1]
            guard Double(abs(corner)) > limit else { continue }
            if found.last.map({ index - $0 > 5 * Self.block }) ?? true { found.append(index) }
        }
        return found.count
    }
}
