/// How wide a pixel is, and how high, in any unit (ITU-T H.273: the sample aspect ratio).
public struct PixelAspectRatio: Sendable, Hashable {
    /// As wide as high.
    public static let square = PixelAspectRatio(uncheckedHorizontal: 1, vertical: 1)

    /// The width; 1 … 65 535.
    public let horizontalSpacing: Int
    /// The height; 1 … 65 535.
    public let verticalSpacing: Int

    /// A ratio; nil outside of the range.
    public init?(horizontalSpacing: Int, verticalSpacing: Int) {
        guard (1...65_535).contains(horizontalSpacing), (1...65_535).contains(verticalSpacing) else { return nil }
        self.init(uncheckedHorizontal: horizontalSpacing, vertical: verticalSpacing)
    }

    private init(uncheckedHorizontal: Int, vertical: Int) {
        (horizontalSpacing, verticalSpacing) = (uncheckedHorizontal, vertical)
    }
}
