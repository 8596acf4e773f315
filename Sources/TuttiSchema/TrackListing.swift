/// What there is to choose in what plays. The names are those of `docs/json.md`.
package struct TrackListing: Sendable, Equatable, Codable {
    /// An audio track.
    package struct Audio: Sendable, Equatable, Codable {
        /// From 1.
        package var number: Int
        /// An ISO 639 code, as the medium names it.
        package var language: String?
        /// As the medium names it.
        package var title: String?
        /// By FFmpeg's name.
        package var codec: String
        /// How many it has.
        package var channels: Int
        /// Whether the medium asks to play it.
        package var `default`: Bool
        /// Whether it plays.
        package var on: Bool

        /// A track.
        package init(
            number: Int, language: String?, title: String?, codec: String, channels: Int, default: Bool, on: Bool
        ) {
            (self.number, self.language, self.title, self.codec) = (number, language, title, codec)
            (self.channels, self.default, self.on) = (channels, `default`, on)
        }
    }

    /// Subtitles.
    package struct Subtitle: Sendable, Equatable, Codable {
        /// From 1; nil for a file that is not beside the film.
        package var number: Int?
        /// An ISO 639 code, as the medium or the file's name has it.
        package var language: String?
        /// As the medium or the file's name has it.
        package var title: String?
        /// How they are coded.
        package var codec: String?
        /// Whether the medium asks to show them.
        package var `default`: Bool
        /// Whether they are for those who understand the film's language.
        package var forced: Bool
        /// The file that they are in; nil for the medium.
        package var file: String?
        /// Whether they are chosen to be shown.
        package var on: Bool

        /// Subtitles.
        package init(
            number: Int?, language: String?, title: String?, codec: String?, default: Bool, forced: Bool, file: String?,
            on: Bool
        ) {
            (self.number, self.language, self.title, self.codec) = (number, language, title, codec)
            (self.default, self.forced, self.file, self.on) = (`default`, forced, file, on)
        }
    }

    /// A chapter; it ends where the next one begins.
    package struct Chapter: Sendable, Equatable, Codable {
        /// From 1.
        package var number: Int
        /// Seconds into the track.
        package var start: Double
        /// As the medium names it.
        package var title: String?

        /// A chapter.
        package init(number: Int, start: Double, title: String?) {
            (self.number, self.start, self.title) = (number, start, title)
        }
    }

    /// In the medium's order.
    package var audio: [Audio]
    /// The medium's, then the files.
    package var subtitles: [Subtitle]
    /// By their beginnings.
    package var chapters: [Chapter]

    /// What there is.
    package init(audio: [Audio] = [], subtitles: [Subtitle] = [], chapters: [Chapter] = []) {
        (self.audio, self.subtitles, self.chapters) = (audio, subtitles, chapters)
    }

    /// The chapter at so many seconds; nil before the first one.
    package func chapter(at position: Double) -> Chapter? { chapters.last { $0.start <= position + 0.001 } }
}
