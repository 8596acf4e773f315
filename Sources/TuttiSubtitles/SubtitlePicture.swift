package import TuttiCore

/// What subtitles show at a time.
package struct SubtitlePicture: Sendable {
    /// What is to be drawn, from the lowest to the uppermost one.
    package let tiles: [SubtitleTile]
    /// The media time from which on it may be something else; nil when nothing more is to come.
    package let nextChange: MediaTime?
}
