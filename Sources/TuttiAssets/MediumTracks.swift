package import TuttiCore

/// What there is to choose in a medium: audio tracks, subtitles and chapters.
package struct MediumTracks: Sendable, Equatable, Codable {
    /// The audio tracks, in the medium's order; at most `maximumTracks`.
    package var audio: [AudioTrack]
    /// The index in `audio` of the track that is read; nil for one beyond them.
    package var audioIndex: Int?
    /// The subtitles: the medium's tracks, then the files beside it; at most `maximumTracks`.
    package var subtitles: [SubtitleTrack]
    /// By their beginnings; at most `maximumChapters`.
    package var chapters: [Chapter]

    /// More tracks of a kind are left out.
    package static let maximumTracks = TrackChoice.numbers.upperBound
    /// More chapters are left out.
    package static let maximumChapters = 256
    /// Longer titles are cut, in characters.
    package static let maximumTitle = 100

    /// Tracks and chapters.
    package init(
        audio: [AudioTrack], audioIndex: Int? = nil, subtitles: [SubtitleTrack] = [], chapters: [Chapter] = []
    ) {
        (self.audio, self.audioIndex, self.subtitles, self.chapters) = (audio, audioIndex, subtitles, chapters)
    }

    /// Whether they are such as a medium has; not so where what was written has been tampered with.
    package var isPlausible: Bool {
        audio.count <= Self.maximumTracks && subtitles.count <= Self.maximumTracks
            && chapters.count <= Self.maximumChapters && audioIndex.map(audio.indices.contains) ?? true
            && chapters.allSatisfy { $0.start >= .zero }
            && zip(chapters, chapters.dropFirst()).allSatisfy { $0.start <= $1.start }
    }

    /// The index in `audio` of the track that is chosen; nil where the medium has no such track, and where nothing is
    /// chosen.
    package func audioIndex(chosenBy choice: TrackChoice) -> Int? { choice.index(among: audio.map(\.language)) }

    /// Where the subtitles are that are chosen.
    ///
    /// Nothing is chosen: those that are marked as forced in the language of the sound, else those that the medium asks
    /// to show.
    ///
    /// - Returns: nil for none. A file that is chosen need not exist.
    package func subtitles(chosenBy choice: TrackChoice) -> SubtitleTrack.Place? {
        switch choice {
        case .off: return nil
        case .file(let path): return .file(path)
        case .number, .language:
            return choice.index(among: subtitles.map(\.language)).map { subtitles[$0].id }
        case .automatic:
            let spoken = audioIndex.flatMap { audio[$0].language }
            let forced = subtitles.filter(\.isForced)
            let fitting = spoken.map(TrackChoice.language)?.index(among: forced.map(\.language)).map { forced[$0] }
            return (fitting ?? subtitles.first(where: \.isDefault))?.id
        }
    }

    /// The index of the chapter at a place in the asset; nil before the first one.
    package func chapterIndex(at place: MediaTime) -> Int? { chapters.lastIndex { $0.start <= place } }
}
