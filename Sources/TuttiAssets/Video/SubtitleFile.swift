#if FFmpeg
import TuttiCore
import TuttiFFmpeg

/// The subtitles of a text file, read at once.
struct SubtitleFile {
    /// The most bytes of a file.
    static let maximumBytes = 4 << 20
    /// The most cues of a file; later ones are left out.
    static let maximumCues = 20_000

    /// What the texts refer to.
    let style: SubtitleStyle?
    /// In the order of their beginnings, on the film's timeline.
    private(set) var cues: [PlacedSubtitle]
    /// Whether there are more than `maximumCues`.
    let isCut: Bool

    /// Reads a file.
    ///
    /// - Throws: `.unsupported` for a file that is too long, or that has another kind of name than those of
    ///   `SubtitleTrack.init(file:)`; `.damaged` for one that is not what its name says; what is wrong with the file
    ///   otherwise.
    init(_ path: String, interrupter: Interrupter) throws(AssetError) {
        guard let codec = SubtitleTrack.codec(ofFile: path) else {
            throw .unsupported(path, reason: "subtitles are in files named .srt, .ass, .ssa or .vtt")
        }
        try LocalFile.check(path)
        guard case .file = try LocalFile.kind(of: path) else {
            throw .unsupported(path, reason: "subtitles are read from files only")
        }
        guard let bytes = try LocalFile.bytes(of: path, limit: Self.maximumBytes) else {
            throw .unsupported(path, reason: "it is longer than subtitles are (4 MB)")
        }
        FFmpegLibrary.prepare()
        do throws(FFmpegError) {
            let reader = try SubtitleTextReader(Array(UnknownText.text(of: bytes).utf8), codec)
            (style, cues) = try reader.readAll(atMost: Self.maximumCues + 1, interrupter)
        } catch {
            if case .interrupted = error { throw .interrupted(path) }
            throw .damaged(path, reason: "no subtitles can be read from it: \(error)")
        }
        isCut = cues.count > Self.maximumCues
        if isCut { cues.removeLast() }
        cues.sort { $0.start < $1.start }
    }

    /// What is shown in the part of the film that an input is, with its beginning as zero.
    func cues(in input: AssetInput) -> [PlacedSubtitle] {
        guard input.isPart else { return cues }
        return cues.compactMap { cue in
            let end = (input.end.map { min($0, cue.end) } ?? cue.end) - input.start
            let placed = PlacedSubtitle(start: cue.start - input.start, end: end, content: cue.content)
            return placed.end.isPositive && placed.start < placed.end ? placed : nil
        }
    }
}
#endif
