package import TuttiCore

/// A rectangle in pixels, from the left upper corner.
package struct PixelRectangle: Sendable, Equatable {
    package var (x, y, width, height): (Int, Int, Int, Int)

    /// A rectangle.
    package init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The largest rectangle of a picture's shape in the middle of `window`.
    package static func fitting(
        width: Int, height: Int, pixelAspectRatio: PixelAspectRatio, in window: PixelRectangle
    ) -> PixelRectangle {
        guard width > 0, height > 0, window.width > 0, window.height > 0 else {
            return PixelRectangle(x: window.x, y: window.y, width: 0, height: 0)
        }
        let shape =
            Double(width) * Double(pixelAspectRatio.horizontalSpacing)
            / (Double(height) * Double(pixelAspectRatio.verticalSpacing))
        let (full, tall) = (Double(window.width), Double(window.height))
        let fitted = (width: min(full, (tall * shape).rounded()), height: min(tall, (full / shape).rounded()))
        let (wide, high) = (max(Int(fitted.width), 1), max(Int(fitted.height), 1))
        return PixelRectangle(
            x: window.x + (window.width - wide) / 2, y: window.y + (window.height - high) / 2, width: wide, height: high
        )
    }
}
