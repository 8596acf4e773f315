/// What overlays lie on.
package struct ScreenAreas: Sendable, Equatable {
    /// The picture, or the window where there is none.
    package let picture: PixelRectangle
    /// All of the window.
    package let window: PixelRectangle

    /// These areas.
    package init(picture: PixelRectangle, window: PixelRectangle) { (self.picture, self.window) = (picture, window) }
}
