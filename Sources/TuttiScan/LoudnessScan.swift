import Synchronization
package import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiRooms
package import TuttiStore

/// Measures how loud files are, on several threads, and keeps the results in the store; files that have not changed
/// since are not measured again.
package struct LoudnessScan: Sendable {
    private let survey: ScanSurvey
    private let store: HouseStore
    private let threads: Int
    /// The units to be measured.
    private let units: [ScanSurvey.Unit]

    /// Frames read at once.
    private static let readFrames = 16_384
    /// Seconds of sound between two reports of how far it has come.
    private static let reportInterval = 10.0

    /// Looks at all inputs, and opens those that are not known for their tags.
    ///
    /// - Parameter threads: how many files are read at once.
    package init(_ inputs: [AssetInput], store: HouseStore, threads: Int) {
        survey = ScanSurvey(inputs, store: store, threads: threads)
        self.store = store
        self.threads = threads
        units = survey.units.filter { [survey] in survey.known($0) == nil }
    }

    /// Measures what is not known.
    ///
    /// - Parameter report: called from any thread, by one at a time.
    package func run(_ report: @escaping @Sendable (Event) -> Void) {
        let turn = Mutex(())
        let tell = { @Sendable (events: [Event]) in turn.withLock { _ in events.forEach(report) } }
        for (index, look) in survey.looks.enumerated() {
            if case .failed(let message) = look { tell([.failed(survey.inputs[index], message: message)]) }
        }
        for unit in survey.units {
            if let tracks = survey.known(unit) { tell(events(unit, zip(unit.members, tracks), isKnown: true)) }
        }
        measure(tell)
    }

    /// One track to be measured, and what it belongs to.
    fileprivate struct Job: Sendable {
        let unit: Int
        let input: Int
    }

    fileprivate struct State {
        var progress: Progress
        /// By unit: the tracks that are still to come, and those that have been measured.
        var left: [Int]
        var meters: [Int: [(input: Int, meter: ScanMeter)]] = [:]
    }

    private func measure(_ tell: @escaping @Sendable ([Event]) -> Void) {
        let jobs = units.enumerated().flatMap { unit, content in
            content.members.map { Job(unit: unit, input: $0) }
        }
        let state = Mutex(State(progress: Progress(total: jobs.count), left: units.map(\.members.count)))
        Workers.forEach(jobs.count, threads: threads) { number in
            let job = jobs[number]
            let meter = measure(survey.inputs[job.input], tell) { seconds in
                tell([.progress(state.withLock { $0.add(seconds) })])
            }
            let (complete, progress) = state.withLock { $0.take(meter, of: job) }
            if let complete { tell(finish(units[job.unit], complete)) }
            tell([.progress(progress)])
        }
    }

    /// - Returns: nil for a file without sound that can be read.
    private func measure(
        _ input: AssetInput, _ tell: ([Event]) -> Void, passed: (_ seconds: Double) -> Void
    ) -> ScanMeter? {
        var meter: ScanMeter?
        do {
            let asset = try Asset.open(input)
            meter = ScanMeter(sampleRate: asset.info.sampleRate)
            let rate = Double(asset.info.sampleRate)
            var seconds = 0.0
            while let meter, let block = try asset.read(maximumFrames: Self.readFrames) {
                meter.add(block.samples)
                seconds += Double(block.samples.count / 2) / rate
                guard seconds >= Self.reportInterval else { continue }
                passed(seconds)
                seconds = 0
            }
            passed(seconds)
        } catch {
            // What a damaged file has is what is played of it.
            tell([.failed(input, message: "\(error)")])
        }
        return meter
    }

    /// All of a unit has been measured: it is stored, and told.
    private func finish(_ unit: ScanSurvey.Unit, _ meters: [(input: Int, meter: ScanMeter)]) -> [Event] {
        let meters = meters.sorted { $0.input < $1.input }
        guard !meters.isEmpty else { return [] }
        let album = unit.album.map { name in
            MeasuredTrack.Album(
                name: name, trackCount: unit.members.count, figures: ScanMeter.figures(of: meters.map(\.meter)))
        }
        let tracks = meters.compactMap { input, meter in
            survey.looks[input].file.map { file in
                (input, MeasuredTrack(file: file, figures: ScanMeter.figures(of: [meter]), album: album))
            }
        }
        var events = events(unit, tracks, isKnown: false)
        do {
            try store.remember(tracks.map { (survey.inputs[$0.0], $0.1) })
        } catch {
            events.append(.failed(survey.inputs[meters[0].input], message: error.description))
        }
        return events
    }

    private func events(
        _ unit: ScanSurvey.Unit, _ tracks: some Sequence<(Int, MeasuredTrack)>, isKnown: Bool
    ) -> [Event] {
        var events: [Event] = []
        var album: MeasuredTrack.Album?
        for (input, track) in tracks {
            events.append(.track(survey.inputs[input], track, isKnown: isKnown))
            album = track.album
        }
        if let album { events.append(.album(album, folder: unit.folder, isKnown: isKnown)) }
        return events
    }
}

extension LoudnessScan.State {
    fileprivate mutating func add(_ seconds: Double) -> LoudnessScan.Progress {
        progress.seconds += seconds
        return progress
    }

    /// - Returns: the meters of the unit, when all of its tracks have been measured.
    fileprivate mutating func take(
        _ meter: ScanMeter?, of job: LoudnessScan.Job
    ) -> (complete: [(input: Int, meter: ScanMeter)]?, progress: LoudnessScan.Progress) {
        progress.done += 1
        if let meter { meters[job.unit, default: []].append((job.input, meter)) }
        left[job.unit] -= 1
        return (left[job.unit] == 0 ? meters.removeValue(forKey: job.unit) ?? [] : nil, progress)
    }
}
