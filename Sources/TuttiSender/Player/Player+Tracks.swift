import TuttiAssets
package import TuttiCore
import TuttiPlayback
import TuttiProduction
package import TuttiRooms
package import TuttiSchema

/// Which tracks of films play, and their chapters.
extension Player {
    /// What people have chosen. It holds for every film of the queue, but for a file of subtitles: that is for the film
    /// that plays.
    package var trackChoices: TrackChoices { scheduling.tracks }

    /// Chooses the audio track of the film that plays, and of those after it. What rooms have that has not played yet is
    /// produced again from a little after the playhead on, from the other track at the same place.
    ///
    /// - Throws: `noSuchTrack` where what plays has no such track; `badOption`, `notNow`, `nothingPlaying`. Nothing has
    ///   changed then.
    package func setAudioTrack(_ choice: TrackChoice) throws(SenderError) {
        defer { commit() }
        switch choice {
        case .off, .file: throw .badOption(TrackChoiceError.badAudioTrack(choice.description).description)
        case .automatic, .number, .language: break
        }
        try check(choice, of: .audio)
        let before = scheduling.tracks.audio
        let change = try change({ $0.tracks.audio = choice }, differs: choice != before, what: "audio track") { track in
            guard let info = track.info else { return true }
            guard let tracks = info.tracks else { return false }
            guard let wanted = tracks.audioIndex(chosenBy: choice) else {
                return tracks.audioIndex(chosenBy: before) != nil
            }
            return wanted != tracks.audioIndex
        }
        guard let change else { return }
        let track = timeline.tracks[change.track]
        expect(choice, ofTrack: track.serial)
        // A short ramp, and not a click; packets that travel as they are have none.
        let isCut = change.time > track.start && !configuration.encoding.keepsOriginals
        remake(change.track, from: change.time, level: level(of: track, after: isCut ? 0 : nil))
    }

    /// Chooses the subtitles of the film that plays, and of those after it where it is not a file. The sound is not
    /// touched.
    ///
    /// - Throws: `noSuchTrack` where what plays has no such subtitles, or where there is no such file; `nothingPlaying`.
    ///   Nothing has changed then.
    package func setSubtitle(_ choice: TrackChoice) throws(SenderError) {
        defer { commit() }
        try check(choice, of: .subtitle)
        if phase == .finished { throw .nothingPlaying }
        scheduling.tracks.subtitle = choice
        scheduling.subtitleEntry = timeline.track(at: position)?.entry
    }

    /// Goes to a chapter of what plays.
    ///
    /// - Throws: `noSuchTrack` where there is no such chapter, and as `seek`.
    package func go(to target: ChapterTarget) throws(SenderError) {
        defer { commit() }
        if phase == .finished { throw .nothingPlaying }
        guard let track = timeline.track(at: position), production.isRunning else {
            throw .notNow("nothing is playing yet")
        }
        let chapters = track.info?.tracks?.chapters ?? []
        guard !chapters.isEmpty else { throw .noSuchTrack("\(Self.name(of: track)) has no chapters") }
        let place = max(.zero, track.place(at: position))
        let current = track.info?.tracks?.chapterIndex(at: place)
        let index: Int
        switch target {
        case .number(let number):
            guard number >= 1, number <= chapters.count else {
                throw .noSuchTrack(
                    "\(number): no such chapter; there are \(chapters.count) (`tutti chapter` lists them)")
            }
            index = number - 1
        case .next:
            index = current.map { $0 + 1 } ?? 0
            guard index < chapters.count else { throw .notNow("this is the last chapter") }
        case .previous:
            let beginning = current.map { chapters[$0].start } ?? .zero
            let isAtBeginning = place - beginning <= Self.beginningOfChapter
            index = max(0, (current ?? 0) - (isAtBeginning ? 1 : 0))
        }
        try seek(.to(chapters[index].start))
    }

    /// So long after its beginning, "previous" means the chapter before.
    private static let beginningOfChapter = MediaTime(frame: 3, sampleRate: 1)

    // MARK: Files of subtitles

    /// What is chosen for an entry.
    func trackChoices(for entry: QueueEntryID) -> TrackChoices {
        let owner = scheduling.subtitleEntry ?? timeline.track(at: position)?.entry ?? queue.current
        return owner == entry ? scheduling.tracks : scheduling.tracks.forOtherFilms
    }

    /// Another entry than the one that a file of subtitles is for has what it suggests itself.
    func keepSubtitleFile(to entry: QueueEntryID) {
        if let owner = scheduling.subtitleEntry, owner != entry { scheduling.tracks = scheduling.tracks.forOtherFilms }
        scheduling.subtitleEntry = entry
    }

    // MARK: What there is

    /// - Throws: `noSuchTrack` where what plays is known to have nothing of what is chosen.
    private func check(_ choice: TrackChoice, of kind: TrackChoice.Kind) throws(SenderError) {
        if case .file = choice { return try TrackChoices(subtitle: choice).checkFile() }
        guard choice != .automatic, choice != .off, production.isRunning, let track = timeline.track(at: position),
            let info = track.info
        else { return }
        let tracks = info.tracks
        let languages = kind == .audio ? tracks?.audio.map(\.language) : tracks?.subtitles.map(\.language)
        guard choice.index(among: languages ?? []) == nil else { return }
        let (what, command) = kind == .audio ? ("audio track", "audio") : ("subtitles", "subtitle")
        throw .noSuchTrack("\(Self.name(of: track)) has no \(what) \(choice); `tutti \(command)` lists what it has")
    }

    /// Notes which audio track is going to be read: the one before counts no more, also if people choose again before it
    /// has been opened.
    func expect(_ choice: TrackChoice, ofTrack serial: Int) {
        timeline.change(serial) { track in
            let index = track.info?.tracks?.audioIndex(chosenBy: choice)
            track.item.info?.tracks?.audioIndex = index
        }
    }

    /// A track was opened: its watchers hear what there is to choose, and people where it lacks what they chose.
    func noteTracks(_ info: AssetInfo, of track: PlaybackTimeline.Track) {
        let known = queue[track.entry]?.info
        guard known?.tracks != info.tracks else { return }
        watchers.shown.serial = nil
        let choice = scheduling.tracks.audio
        guard let tracks = info.tracks, choice != .automatic, known?.tracks?.audioIndex != tracks.audioIndex else {
            return
        }
        let name = Self.name(of: track)
        if let index = tracks.audioIndex(chosenBy: choice) {
            guard index != tracks.audioIndex else { return }
            emit(.notice(.tracks("\(name): audio track \(choice) cannot be decoded; the film's own choice plays")))
        } else {
            emit(.notice(.tracks("\(name) has no audio track \(choice); the film's own choice plays")))
        }
    }

    private static func name(of track: PlaybackTimeline.Track) -> String { track.item.input.name }
}
