import TuttiAssets
import TuttiCore
import TuttiSchema

extension TrackListing {
    /// What a medium has, and which of it is on.
    init(_ tracks: MediumTracks, _ choices: TrackChoices) {
        let shown = tracks.subtitles(chosenBy: choices.subtitle)
        var subtitles = tracks.subtitles.enumerated().map { index, track in
            Subtitle(track, number: index + 1, on: track.id == shown)
        }
        if case .file(let path)? = shown, !tracks.subtitles.contains(where: { $0.id == shown }),
            let track = SubtitleTrack(file: path)
        {
            subtitles.append(Subtitle(track, number: nil, on: true))
        }
        self.init(
            audio: tracks.audio.enumerated().map { index, track in
                Audio(
                    number: index + 1, language: track.language, title: track.title, codec: track.codec,
                    channels: track.channelCount, default: track.isDefault, on: index == tracks.audioIndex)
            }, subtitles: subtitles,
            chapters: tracks.chapters.enumerated().map { index, chapter in
                Chapter(number: index + 1, start: chapter.start.seconds, title: chapter.title)
            })
    }
}

extension TrackListing.Subtitle {
    fileprivate init(_ track: SubtitleTrack, number: Int?, on: Bool) {
        var file: String?
        if case .file(let path) = track.id { file = path }
        self.init(
            number: number, language: track.language, title: track.title, codec: track.codec.rawValue,
            default: track.isDefault, forced: track.isForced, file: file, on: on)
    }
}
