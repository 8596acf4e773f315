import CASS
import TuttiCore

/// Puts libass's bitmaps, each of one colour and some opacity, on top of each other.
struct TileCanvas {
    /// What bitmaps become one tile.
    enum Arrangement {
        /// Those whose rows meet. So texts at the top and at the bottom have nothing between them.
        case bands
        case one
    }

    private struct Band {
        var (left, right, top, bottom): (Int, Int, Int, Int)

        mutating func include(_ other: Band) {
            (left, right) = (min(left, other.left), max(right, other.right))
            (top, bottom) = (min(top, other.top), max(bottom, other.bottom))
        }
    }

    /// Bitmaps of one drawing; what comes later is left out.
    private static let maximumImages = 65_536

    let width: Int
    let height: Int

    /// The bitmaps of a list, from the lowest to the uppermost one, as tiles from the top down.
    func tiles(_ first: UnsafeMutablePointer<ASS_Image>?, _ arrangement: Arrangement) -> [SubtitleTile] {
        var images: [(area: Band, image: ASS_Image)] = []
        var next = first
        while let image = next?.pointee, images.count < Self.maximumImages {
            next = image.next
            if let area = area(of: image) { images.append((area, image)) }
        }
        return bands(images.map(\.area), arrangement).compactMap { band in
            tile(band, images.filter { $0.area.top < band.bottom && band.top < $0.area.bottom }.map(\.image))
        }
    }

    /// Nil for a bitmap without a pixel that is to be seen; libass has them all on the canvas.
    private func area(of image: ASS_Image) -> Band? {
        let (x, y, w, h) = (Int(image.dst_x), Int(image.dst_y), Int(image.w), Int(image.h))
        guard w > 0, h > 0, x >= 0, y >= 0, x + w <= width, y + h <= height, Int(image.stride) >= w,
            image.bitmap != nil, image.color & 0xFF != 0xFF
        else { return nil }
        return Band(left: x, right: x + w, top: y, bottom: y + h)
    }

    private func bands(_ areas: [Band], _ arrangement: Arrangement) -> [Band] {
        var result: [Band] = []
        for area in areas.sorted(by: { $0.top < $1.top }) {
            if let last = result.last, arrangement == .one || area.top < last.bottom {
                result[result.count - 1].include(area)
            } else {
                result.append(area)
            }
        }
        return result
    }

    private func tile(_ band: Band, _ images: [ASS_Image]) -> SubtitleTile? {
        let (width, height) = (band.right - band.left, band.bottom - band.top)
        let place = SubtitleImage.Place(
            x: Double(band.left) / Double(self.width), y: Double(band.top) / Double(self.height),
            width: Double(width) / Double(self.width), height: Double(height) / Double(self.height))
        guard let place else { return nil }
        let memory = TileMemory(byteCount: 4 * width * height)
        for image in images { draw(image, band, memory.pixels, width) }
        let frame = VideoFrame(
            pixelFormat: .bgra, width: width, height: height, isFullRange: true, presentationTime: .zero,
            planes: [VideoFrame.Plane(bytes: UnsafeRawPointer(memory.pixels), bytesPerRow: 4 * width)], owner: memory)
        return SubtitleTile(image: frame, place: place)
    }

    /// One bitmap above those before: "over" of Porter and Duff, Compositing Digital Images (1984), with colours that are
    /// not multiplied by opacity.
    private func draw(_ image: ASS_Image, _ band: Band, _ pixels: UnsafeMutablePointer<UInt8>, _ width: Int) {
        let color = (
            blue: Int(image.color >> 8 & 0xFF), green: Int(image.color >> 16 & 0xFF), red: Int(image.color >> 24)
        )
        let opacity = 255 - Int(image.color & 0xFF)
        let (x, y) = (Int(image.dst_x) - band.left, Int(image.dst_y) - band.top)
        for row in 0..<Int(image.h) {
            let source = image.bitmap + row * Int(image.stride)
            var target = pixels + 4 * ((y + row) * width + x)
            for column in 0..<Int(image.w) {
                let coverage = Int(source[column])
                if coverage > 0 {
                    // Of 255 × 255.
                    let above = coverage * opacity
                    let below = Int(target[3]) * (65_025 - above) / 255
                    let sum = above + below
                    if sum > 0 {
                        target[0] = UInt8((color.blue * above + Int(target[0]) * below + sum / 2) / sum)
                        target[1] = UInt8((color.green * above + Int(target[1]) * below + sum / 2) / sum)
                        target[2] = UInt8((color.red * above + Int(target[2]) * below + sum / 2) / sum)
                        target[3] = UInt8((sum + 127) / 255)
                    }
                }
                target += 4
            }
        }
    }
}

/// Pixels of a tile, transparent at first.
private final class TileMemory {
    let pixels: UnsafeMutablePointer<UInt8>

    init(byteCount: Int) {
        pixels = .allocate(capacity: byteCount)
        pixels.initialize(repeating: 0, count: byteCount)
    }

    deinit { pixels.deallocate() }
}
