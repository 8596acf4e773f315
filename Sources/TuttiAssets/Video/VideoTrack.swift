package import TuttiCore

/// A video track of a medium. A cover picture is none.
package struct VideoTrack: Sendable, Hashable, Identifiable {
    /// Its number in the medium.
    package let id: Int
    /// What its pictures are, at the beginning.
    package let format: VideoFormat
    /// How long a picture is shown on average; nil when the medium does not tell.
    package let frameDuration: MediaTime?
    /// How long the track is; nil when the medium does not tell.
    package let duration: MediaTime?
    /// An ISO 639 code; nil when the medium does not tell.
    package let language: String?
    /// Whether the medium asks to play this one.
    package let isDefault: Bool
    /// By how many degrees pictures are turned clockwise to be shown: 0, 90, 180 or 270.
    package let rotation: Int

    /// Pictures a second on average; nil when the medium does not tell.
    package var frameRate: Double? { frameDuration.map { 1 / $0.seconds } }
}
