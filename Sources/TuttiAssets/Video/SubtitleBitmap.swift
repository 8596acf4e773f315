package import TuttiCore

/// An image of a decoded subtitle: pixels that are numbers of colours, on a canvas. It becomes a `SubtitleImage`.
package struct SubtitleBitmap {
    /// How the canvas lies on the film.
    package enum Fit: Sendable {
        /// It covers the film, whatever the shapes of both.
        case stretched
        /// It is as wide as the film or as high, and at least as large: what was cut off the film is still on the canvas.
        /// What would be outside of the film moves in.
        case uncropped(width: Double, height: Double)
    }

    /// A canvas's size in pixels.
    package let canvas: (width: Int, height: Int)
    /// The upper left corner on the canvas.
    package let origin: (x: Int, y: Int)
    /// Pixels of a row, and rows.
    package let size: (width: Int, height: Int)
    /// A number of a colour for each pixel.
    package let indices: [UInt8]
    /// Colours: four bytes each, blue in the lowest ones, then green, red and opacity.
    package let palette: [UInt32]

    /// Pixels that are taken at most.
    static let maximumPixels = 16 << 20

    /// A bitmap; nil where the numbers do not fit together.
    package init?(
        canvas: (width: Int, height: Int), origin: (x: Int, y: Int), size: (width: Int, height: Int), indices: [UInt8],
        palette: [UInt32]
    ) {
        let sides = VideoFormat.Limits.sides
        guard sides.contains(canvas.width), sides.contains(canvas.height), sides.contains(size.width),
            sides.contains(size.height), size.width * size.height <= Self.maximumPixels,
            indices.count == size.width * size.height, abs(origin.x) <= sides.upperBound,
            abs(origin.y) <= sides.upperBound
        else { return nil }
        (self.canvas, self.origin, self.size, self.indices, self.palette) = (canvas, origin, size, indices, palette)
    }

    /// The part of it that is to be seen, in half the size as often as it takes to keep to
    /// `SubtitleImage.maximumBytes`; nil when there is nothing to be seen.
    package func image(_ fit: Fit) -> SubtitleImage? {
        guard let visible = visibleRectangle, let place = place(of: visible, fit) else { return nil }
        var (width, height) = (visible.width, visible.height)
        var pixels = self.pixels(in: visible)
        while 4 * width * height > SubtitleImage.maximumBytes {
            pixels = Self.halved(pixels, width: width, height: height)
            (width, height) = ((width + 1) / 2, (height + 1) / 2)
        }
        return SubtitleImage(place: place, width: width, height: height, bgra: pixels)
    }

    private struct Rectangle {
        var (x, y, width, height): (Int, Int, Int, Int)
    }

    /// Of the bitmap: around what has a colour that is not transparent, and is on the canvas.
    private var visibleRectangle: Rectangle? {
        let isVisible = (0..<256).map { $0 < palette.count && palette[$0] >> 24 != 0 }
        let columns = max(0, -origin.x)..<max(max(0, -origin.x), min(size.width, canvas.width - origin.x))
        let rows = max(0, -origin.y)..<max(max(0, -origin.y), min(size.height, canvas.height - origin.y))
        var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
        for row in rows {
            let line = row * size.width
            guard let first = columns.first(where: { isVisible[Int(indices[line + $0])] }),
                let last = columns.last(where: { isVisible[Int(indices[line + $0])] })
            else { continue }
            (left, right) = (min(left, first), max(right, last))
            (top, bottom) = (min(top, row), row)
        }
        guard right >= 0 else { return nil }
        return Rectangle(x: left, y: top, width: right + 1 - left, height: bottom + 1 - top)
    }

    private func pixels(in rectangle: Rectangle) -> [UInt8] {
        let colors = (0..<256).map { $0 < palette.count ? palette[$0] : 0 }
        var result: [UInt8] = []
        result.reserveCapacity(4 * rectangle.width * rectangle.height)
        for row in rectangle.y..<rectangle.y + rectangle.height {
            for column in rectangle.x..<rectangle.x + rectangle.width {
                let color = colors[Int(indices[row * size.width + column])]
                result.append(UInt8(truncatingIfNeeded: color))
                result.append(UInt8(truncatingIfNeeded: color >> 8))
                result.append(UInt8(truncatingIfNeeded: color >> 16))
                result.append(UInt8(truncatingIfNeeded: color >> 24))
            }
        }
        return result
    }

    private func place(of rectangle: Rectangle, _ fit: Fit) -> SubtitleImage.Place? {
        let canvas = (width: Double(self.canvas.width), height: Double(self.canvas.height))
        var film = canvas
        if case .uncropped(let width, let height) = fit, width > 0, height > 0 {
            let scale = min(canvas.width / width, canvas.height / height)
            film = (width * scale, height * scale)
        }
        let (width, height) = (Double(rectangle.width) / film.width, Double(rectangle.height) / film.height)
        let x = (Double(origin.x + rectangle.x) - (canvas.width - film.width) / 2) / film.width
        let y = (Double(origin.y + rectangle.y) - (canvas.height - film.height) / 2) / film.height
        // What is larger than the film is shrunk.
        let shrink = min(1, 1 / max(width, height))
        return SubtitleImage.Place(
            x: max(0, min(x, 1 - width * shrink)), y: max(0, min(y, 1 - height * shrink)), width: width * shrink,
            height: height * shrink)
    }

    /// Each pixel the mean of up to four, weighted by their opacity.
    private static func halved(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity((width + 1) / 2 * ((height + 1) / 2) * 4)
        for row in stride(from: 0, to: height, by: 2) {
            for column in stride(from: 0, to: width, by: 2) {
                var (sums, opacity, count) = (SIMD3<Int>.zero, 0, 0)
                for y in row..<min(row + 2, height) {
                    for x in column..<min(column + 2, width) {
                        let at = 4 * (y * width + x)
                        let alpha = Int(pixels[at + 3])
                        sums &+= SIMD3(Int(pixels[at]), Int(pixels[at + 1]), Int(pixels[at + 2])) &* alpha
                        (opacity, count) = (opacity + alpha, count + 1)
                    }
                }
                let color = opacity > 0 ? sums / opacity : .zero
                for index in 0..<3 { result.append(UInt8(truncatingIfNeeded: color[index])) }
                result.append(UInt8(truncatingIfNeeded: opacity / count))
            }
        }
        return result
    }
}
