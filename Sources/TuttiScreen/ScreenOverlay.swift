package import TuttiCore

/// An image above the picture: a line of subtitles, a title, artwork.
package struct ScreenOverlay: Sendable {
    /// What a place is a part of.
    package enum Frame: Sendable {
        /// The picture, or the window where there is none.
        case picture
        case window
    }

    /// Where an image is, as parts of what `frame` names: 0, 0, 1, 1 is all of it. Numbers that are none count as 0.
    package struct Place: Sendable, Equatable {
        package var frame: Frame
        package var (x, y, width, height): (Double, Double, Double, Double)

        /// A place.
        package init(in frame: Frame, x: Double, y: Double, width: Double, height: Double) {
            (self.frame, self.x, self.y, self.width, self.height) = (frame, x, y, width, height)
        }

        /// The place in pixels.
        package func rectangle(in outer: PixelRectangle) -> PixelRectangle {
            let pixels = { (part: Double, side: Int) -> Int in
                let product = part * Double(side)
                return product.isFinite ? Int(min(max(product, -1e6), 1e6).rounded()) : 0
            }
            return PixelRectangle(
                x: outer.x + pixels(x, outer.width), y: outer.y + pixels(y, outer.height),
                width: max(pixels(width, outer.width), 0), height: max(pixels(height, outer.height), 0))
        }
    }

    /// The image, in `bgra`; colours are not multiplied by opacity. One and the same is uploaded once.
    package let image: VideoFrame
    package let place: Place

    /// An overlay; nil for an image of another pixel format.
    package init?(image: VideoFrame, place: Place) {
        guard image.pixelFormat == .bgra else { return nil }
        (self.image, self.place) = (image, place)
    }
}
