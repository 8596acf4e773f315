import Testing
import TuttiCore
import TuttiScreen

/// Colours, against the equations of ITU-T H.273 in 64 bits.
struct PictureRowsTests {
    private static let formats = VideoFrame.PixelFormat.allCases.filter { $0 != .bgra }

    /// A picture of one colour throughout, in a format; its samples are at random.
    private func frame(
        _ format: VideoFrame.PixelFormat, _ matrix: VideoFrame.ColorMatrix, isFullRange: Bool, width: Int, height: Int,
        _ samples: [Int]
    ) -> VideoFrame {
        let isWide = format.rawValue.hasSuffix("p10")
        let bytes = { (samples: [Int]) in
            samples.flatMap { isWide ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0)] }
        }
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        let chroma =
            switch format {
            case .yuv420, .yuv420p10, .nv12: halfWidth * halfHeight
            case .yuv422, .yuv422p10: halfWidth * height
            default: width * height
            }
        var planes = [bytes(Array(repeating: samples[0], count: width * height))]
        if format == .nv12 {
            planes.append(bytes((0..<2 * chroma).map { samples[1 + $0 % 2] }))
        } else if format != .gray {
            planes += [1, 2].map { bytes(Array(repeating: samples[$0], count: chroma)) }
        }
        let owner = PlaneOwner(planes)
        return VideoFrame(
            pixelFormat: format, width: width, height: height, colorMatrix: matrix, isFullRange: isFullRange,
            presentationTime: .zero,
            planes: zip(owner.memory, planes).enumerated().map { index, plane in
                let rows =
                    index == 0 || [.yuv422, .yuv422p10, .yuv444, .yuv444p10].contains(format) ? height : halfHeight
                return VideoFrame.Plane(bytes: plane.0, bytesPerRow: plane.1.count / rows)
            }, owner: owner)
    }

    private func expected(
        _ samples: [Int], bits: Int, _ matrix: VideoFrame.ColorMatrix, isFullRange: Bool
    ) -> [Double] {
        let (red, blue) =
            [.bt601: (0.299, 0.114), .bt709: (0.2126, 0.0722), .bt2020: (0.2627, 0.0593)][matrix] ?? (0, 0)
        let scale = Double(1 << (bits - 8))
        let whole = isFullRange ? Double(1 << bits - 1) : 0
        let luma = isFullRange ? Double(samples[0]) / whole : (Double(samples[0]) / scale - 16) / 219
        let chroma = samples.dropFirst().map {
            (Double($0) - 128 * scale) / (isFullRange ? whole : 224 * scale)
        }
        let (r, b) = (luma + 2 * (1 - red) * chroma[1], luma + 2 * (1 - blue) * chroma[0])
        let g = (luma - red * r - blue * b) / (1 - red - blue)
        return [b, g, r].map { min(max($0, 0), 1) * 255 }
    }

    @Test(arguments: formats) func colorsAreThoseOfTheStandard(_ format: VideoFrame.PixelFormat) {
        let bits = format.rawValue.hasSuffix("p10") ? 10 : 8
        var random = SplitMix64(seed: 4)
        var rows = PictureRows()
        for matrix in [VideoFrame.ColorMatrix.bt601, .bt709, .bt2020] {
            for isFullRange in [false, true] {
                for _ in 0..<40 {
                    var samples = (0..<3).map { _ in Int.random(in: 0..<1 << bits, using: &random) }
                    if format == .gray { (samples[1], samples[2]) = (128, 128) }
                    let (width, height) = (
                        Int.random(in: 1...40, using: &random), Int.random(in: 1...9, using: &random)
                    )
                    let frame = frame(
                        format, matrix, isFullRange: isFullRange, width: width, height: height, samples)
                    var pixels = [UInt8](repeating: 7, count: 4 * (width + 1) * height)
                    pixels.withUnsafeMutableBytes {
                        guard let base = $0.baseAddress else { return }
                        rows.convert(frame, to: base, bytesPerRow: 4 * (width + 1))
                    }
                    let wanted = expected(samples, bits: bits, matrix, isFullRange: isFullRange)
                    for pixel in 0..<width * height {
                        let place = 4 * (pixel / width * (width + 1) + pixel % width)
                        for component in 0..<3 {
                            let error = abs(Double(pixels[place + component]) - wanted[component])
                            #expect(error <= 0.51, "\(matrix) \(isFullRange) \(samples)")
                        }
                        #expect(pixels[place + 3] == 255)
                    }
                    #expect(pixels.suffix(4) == [7, 7, 7, 7])
                }
            }
        }
    }

    @Test func placesKeepTheShape() {
        let window = PixelRectangle(x: 0, y: 0, width: 1_920, height: 1_080)
        let fitting = { (width: Int, height: Int, pixels: PixelAspectRatio, window: PixelRectangle) in
            PixelRectangle.fitting(width: width, height: height, pixelAspectRatio: pixels, in: window)
        }
        #expect(fitting(1_280, 720, .square, window) == window)
        #expect(fitting(640, 480, .square, window) == PixelRectangle(x: 240, y: 0, width: 1_440, height: 1_080))
        #expect(fitting(1_920, 800, .square, window) == PixelRectangle(x: 0, y: 140, width: 1_920, height: 800))
        // PAL in 16:9.
        if let wide = PixelAspectRatio(horizontalSpacing: 64, verticalSpacing: 45) {
            #expect(fitting(720, 576, wide, window) == window)
        }
        let none = PixelRectangle(x: 0, y: 0, width: 0, height: 10)
        #expect(fitting(720, 576, .square, none).width == 0)
        #expect(fitting(16_384, 1, .square, window).height == 1)
    }

    @Test func overlaysMayBeAnywhere() {
        let outer = PixelRectangle(x: 100, y: 0, width: 1_000, height: 500)
        let place = ScreenOverlay.Place(in: .picture, x: 0.1, y: 0.8, width: 0.8, height: 0.1)
        #expect(place.rectangle(in: outer) == PixelRectangle(x: 200, y: 400, width: 800, height: 50))
        let odd = ScreenOverlay.Place(in: .window, x: .nan, y: -.infinity, width: -1, height: 1e300)
        #expect(odd.rectangle(in: outer).width == 0)
    }
}

private final class PlaneOwner {
    let memory: [UnsafeRawPointer]

    init(_ planes: [[UInt8]]) {
        memory = planes.map { plane in
            let copy = UnsafeMutableRawPointer.allocate(byteCount: plane.count, alignment: 16)
            copy.copyMemory(from: plane, byteCount: plane.count)
            return UnsafeRawPointer(copy)
        }
    }

    deinit { for pointer in memory { pointer.deallocate() } }
}
