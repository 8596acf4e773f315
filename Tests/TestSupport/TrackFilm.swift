package import Foundation

/// A film with two audio tracks, subtitles in two languages and chapters, which ffmpeg makes.
///
/// Each sample of its sound tells its place: a hundredth of the seconds of the film so far, with a minus in the English
/// track.
package struct TrackFilm {
    /// How long it is, in seconds: less than 100.
    package var seconds = 20
    /// Frames a second of the German track and of the English one.
    package var rates = (german: 48_000, english: 48_000)
    /// When the tracks begin, in seconds.
    package var begins = (german: 0.0, english: 0.0)
    /// How the sound is coded.
    package var sound = ["-c:a", "pcm_s24le"]
    /// The beginnings of the chapters, in seconds, and their titles.
    package var chapters: [(start: Double, title: String)] = [(0, "Arrival"), (5, "Dinner"), (12, "Departure")]
    /// Further options of ffmpeg.
    package var options: [String] = []

    package init() {}

    private static let subtitles = """
        1
        00:00:01,000 --> 00:00:02,500
        Good evening

        """

    /// Makes it.
    ///
    /// - Returns: its path.
    @discardableResult
    package func make(_ name: String, in folder: URL) throws -> String {
        try Self.subtitles.write(to: folder.appendingPathComponent("words.srt"), atomically: true, encoding: .utf8)
        try metadata.write(to: folder.appendingPathComponent("chapters.txt"), atomically: true, encoding: .utf8)
        try OutsideTool.run(
            ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=64x36:rate=5:duration=\(seconds)"]
                + track("", begins.german, rates.german) + track("-", begins.english, rates.english)
                + [
                    "-i", "words.srt", "-i", "words.srt", "-i", "chapters.txt", "-map_metadata", "5", "-map_chapters",
                    "5",
                ]
                + (0..<5).flatMap { ["-map", "\($0)"] } + ["-c:v", "mpeg2video", "-g", "5", "-c:s", "copy"] + sound
                + [
                    "-metadata:s:a:0", "language=ger", "-metadata:s:a:1", "language=eng", "-metadata:s:a:1",
                    "title=Original", "-disposition:a:0", "default", "-disposition:a:1", "0",
                    "-metadata:s:s:0", "language=ger", "-metadata:s:s:1", "language=eng", "-disposition:s:0", "0",
                    "-disposition:s:1", "0",
                ] + options + [name], in: folder)
        return folder.appendingPathComponent(name).path
    }

    private func track(_ sign: String, _ begin: Double, _ rate: Int) -> [String] {
        let value = "\(sign)(t+\(begin))/100"
        return [
            "-itsoffset", "\(begin)", "-f", "lavfi", "-i",
            "aevalsrc='\(value)|\(value)':s=\(rate):c=stereo:d=\(Double(seconds) - begin)",
        ]
    }

    private var metadata: String {
        let ends = chapters.dropFirst().map(\.start) + [Double(seconds)]
        return ";FFMETADATA1\ntitle=The Guest\n"
            + zip(chapters, ends).map { chapter, end in
                """
                [CHAPTER]
                TIMEBASE=1/1000
                START=\(Int(chapter.start * 1_000))
                END=\(Int(max(end, chapter.start) * 1_000))
                title=\(chapter.title)

                """
            }.joined()
    }
}
