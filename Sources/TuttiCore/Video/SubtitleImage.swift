/// A picture of a line of text, as discs and broadcasts have their subtitles, and where on the film it is.
public struct SubtitleImage: Sendable, Hashable {
    /// The most bytes of an image: a million pixels.
    public static let maximumBytes = 4 << 20

    /// Where an image is, as parts of the film's width and height; 0, 0 is the upper left corner.
    public struct Place: Sendable, Hashable {
        /// Its left edge.
        public let x: Double
        /// Its upper edge.
        public let y: Double
        /// From left to right; more than 0.
        public let width: Double
        /// From top to bottom; more than 0.
        public let height: Double

        /// A place; nil for one that is not inside the film, or has no area.
        public init?(x: Double, y: Double, width: Double, height: Double) {
            // A little more than 1 is what sums of rounded numbers make.
            guard x >= 0, y >= 0, width > 0, height > 0, x + width <= 1 + 1e-6, y + height <= 1 + 1e-6 else {
                return nil
            }
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    /// Where it is.
    public let place: Place
    /// Pixels from left to right.
    public let width: Int
    /// Pixels from top to bottom.
    public let height: Int
    /// Rows of pixels, from top to bottom: blue, green, red and opacity, colours not multiplied by opacity.
    public let bgra: [UInt8]

    /// An image; nil for sides outside `VideoFormat.Limits`, for more than `maximumBytes`, and where there are not four
    /// bytes for each pixel.
    public init?(place: Place, width: Int, height: Int, bgra: [UInt8]) {
        let sides = VideoFormat.Limits.sides
        guard sides.contains(width), sides.contains(height), 4 * width * height <= Self.maximumBytes,
            bgra.count == 4 * width * height
        else { return nil }
        (self.place, self.width, self.height, self.bgra) = (place, width, height, bgra)
    }
}
