package import TuttiCore

/// What comes of reading a timeline's pictures.
package struct PictureBatch: Sendable {
    /// The pictures, in the order in which they are decoded.
    package var pictures: [VideoSampleBuffer] = []
    /// Whether the first of them takes the place of all from its time on.
    package var beginsAnew = false
    /// Up to where all of the timeline's pictures have been given.
    package var reached = MediaTime.zero
    /// Why a track's pictures cannot be read, or not to the end.
    package var problem: (serial: Int, text: String)?

    package init() {}
}
