/// What overlays lie on, in pixels.
package struct ScreenAreas: Sendable, Equatable {
    /// An area.
    package struct Size: Sendable, Equatable {
        package let width: Int
        package let height: Int

        /// A size.
        package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
    }

    /// The picture, or the window where there is none.
    package let picture: Size
    /// All of the window.
    package let window: Size

    /// Areas of these sizes.
    package init(picture: Size, window: Size) { (self.picture, self.window) = (picture, window) }
}
