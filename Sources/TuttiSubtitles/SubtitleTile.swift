package import TuttiCore

/// An image to be drawn above a picture, and where.
package struct SubtitleTile: Sendable {
    /// In `bgra`; colours are not multiplied by opacity. What has not changed is one and the same object.
    package let image: VideoFrame
    /// As parts of the picture's width and height; inside of it.
    package let place: SubtitleImage.Place
}
