package import CKernels
package import TuttiCore

/// Makes red, green and blue of pictures in any pixel format, row by row.
package struct PictureRows: ~Copyable {
    private var start = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
    private var capacity = 64

    /// Rows of any length.
    package init() {}

    deinit { start.deallocate() }

    /// Memory of at least so many bytes; whatever it held is gone, and what was given out before too.
    mutating func bytes(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity < count {
            start.deallocate()
            (start, capacity) = (.allocate(byteCount: count, alignment: 64), count)
        }
        return start.assumingMemoryBound(to: UInt8.self)
    }

    /// Writes a picture as `bgra` with full opacity.
    ///
    /// - Parameters:
    ///   - frame: in any format but `bgra`.
    ///   - out: as many rows as the picture has, `bytesPerRow` apart, with room for four bytes a pixel.
    package mutating func convert(_ frame: VideoFrame, to out: UnsafeMutableRawPointer, bytesPerRow: Int) {
        let width = frame.width
        // Luma, chroma of the row, and chroma of the picture's own width: samples of 16 bits each.
        let row = (2 * width + 127) / 64 * 64
        let start = UnsafeMutableRawPointer(bytes(5 * row))
        let buffers = (0..<5).map { (start + $0 * row).assumingMemoryBound(to: UInt16.self) }
        let matrix = tutti_picture_matrix(frame)
        for line in 0..<frame.height {
            let luma = samples(frame, 0, line, 0, width, buffers[0])
            var chroma: [UnsafePointer<UInt16>] = []
            for component in 0..<2 {
                let whole = buffers[3 + component]
                guard let narrow = frame.pixelFormat.isHalfWide else {
                    if frame.pixelFormat == .gray {
                        whole.update(repeating: 512, count: width)
                        chroma.append(UnsafePointer(whole))
                    } else {
                        chroma.append(samples(frame, 1 + component, line, 0, width, buffers[1 + component]))
                    }
                    continue
                }
                let isInterleaved = frame.pixelFormat == .nv12
                let half = samples(
                    frame, isInterleaved ? 1 : 1 + component, narrow.isHalfHigh ? line / 2 : line,
                    isInterleaved ? component : 0, (width + 1) / 2, buffers[1 + component])
                tutti_picture_double(half, whole, width)
                chroma.append(UnsafePointer(whole))
            }
            let pixels = (out + line * bytesPerRow).assumingMemoryBound(to: UInt8.self)
            tutti_picture_row(luma, chroma[0], chroma[1], pixels, width, matrix)
        }
    }

    /// A row of samples with 10 bits: those of the picture, or what is made of its 8 bits.
    private func samples(
        _ frame: VideoFrame, _ plane: Int, _ row: Int, _ offset: Int, _ count: Int,
        _ buffer: UnsafeMutablePointer<UInt16>
    ) -> UnsafePointer<UInt16> {
        frame.withPlane(plane) { plane in
            let from = plane.bytes + row * plane.bytesPerRow
            if frame.pixelFormat.hasTenBits { return from.assumingMemoryBound(to: UInt16.self) }
            let bytes = from.assumingMemoryBound(to: UInt8.self) + offset
            tutti_picture_widen(bytes, frame.pixelFormat == .nv12 && count < frame.width ? 2 : 1, buffer, count)
            return UnsafePointer(buffer)
        }
    }
}

extension VideoFrame.PixelFormat {
    /// Whether samples have 10 bits.
    fileprivate var hasTenBits: Bool {
        switch self {
        case .yuv420p10, .yuv422p10, .yuv444p10: true
        default: false
        }
    }

    /// Nil where chroma is as wide as luma, or not there.
    fileprivate var isHalfWide: (isHalfHigh: Bool, Void)? {
        switch self {
        case .yuv420, .yuv420p10, .nv12: (true, ())
        case .yuv422, .yuv422p10: (false, ())
        case .yuv444, .yuv444p10, .gray, .bgra: nil
        }
    }
}

extension tutti_picture_matrix {
    /// The matrix of a picture's colours (ITU-T H.273, equations 38 to 40 and table 4).
    package init(_ frame: VideoFrame) {
        let (red, blue) =
            switch frame.colorMatrix {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        let green = 1 - red - blue
        // Samples of 8 bits come as four times as much.
        let whole = frame.pixelFormat.hasTenBits ? 1_023.0 : 1_020
        let (lumaRange, chromaRange) = frame.isFullRange ? (whole, whole) : (876, 896)
        let unit = 255.0 * 65_536
        let fixed = { (value: Double) in Int32(value.rounded()) }
        self.init(
            offset: frame.isFullRange ? 0 : 64, luma: fixed(unit / lumaRange),
            red_v: fixed(2 * (1 - red) * unit / chromaRange),
            green_u: fixed(-2 * (1 - blue) * blue / green * unit / chromaRange),
            green_v: fixed(-2 * (1 - red) * red / green * unit / chromaRange),
            blue_u: fixed(2 * (1 - blue) * unit / chromaRange))
    }
}
