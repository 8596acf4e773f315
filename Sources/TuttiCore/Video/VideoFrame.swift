/// A decoded picture, with its place on the timeline.
///
/// Its memory may be a decoder's; it is freed with the last reference.
public final class VideoFrame: @unchecked Sendable {
    // Guard: everything is constant, and nobody writes to a frame's memory once it is made.

    /// How pixels lie in memory.
    public enum PixelFormat: String, Sendable, Hashable, CaseIterable {
        /// Three planes of 8 bits: luma, and chroma at half the width and half the height.
        case yuv420
        /// Chroma at half the width.
        case yuv422
        case yuv444
        /// As `yuv420`, in 16-bit words (native order) of which the lower 10 bits count.
        case yuv420p10
        case yuv422p10
        case yuv444p10
        /// Two planes of 8 bits: luma, and both chroma interleaved, at half the width and half the height.
        case nv12
        /// One plane of 8 bits.
        case gray
        /// One plane of four bytes a pixel: blue, green, red, opacity.
        case bgra

        /// Planes.
        public var planeCount: Int {
            switch self {
            case .yuv420, .yuv422, .yuv444, .yuv420p10, .yuv422p10, .yuv444p10: 3
            case .nv12: 2
            case .gray, .bgra: 1
            }
        }
    }

    /// How luma and chroma become red, green and blue (ITU-T H.273).
    public enum ColorMatrix: String, Sendable, Hashable {
        case bt601
        case bt709
        case bt2020
    }

    /// Memory of a plane.
    public struct Plane: @unchecked Sendable {
        // Guard: the frame's.

        /// The first row's first byte.
        public let bytes: UnsafeRawPointer
        /// Bytes from a row to the next.
        public let bytesPerRow: Int

        /// A plane.
        public init(bytes: UnsafeRawPointer, bytesPerRow: Int) {
            self.bytes = bytes
            self.bytesPerRow = bytesPerRow
        }
    }

    /// How its pixels lie in memory.
    public let pixelFormat: PixelFormat
    /// Pixels from left to right.
    public let width: Int
    /// Pixels from top to bottom.
    public let height: Int
    /// The shape of a pixel.
    public let pixelAspectRatio: PixelAspectRatio
    /// What its colours mean; without meaning for `gray` and `bgra`.
    public let colorMatrix: ColorMatrix
    /// Whether values use all bits, rather than 16 … 235 of 255 (video range).
    public let isFullRange: Bool
    /// The media time from which on it is shown.
    public let presentationTime: MediaTime
    /// How long it is shown; nil for as long as there is no other one.
    public let duration: MediaTime?
    private let planes: [Plane]
    private let owner: AnyObject

    /// A frame in memory that `owner` holds, and frees with its last reference.
    ///
    /// - Precondition: there are as many planes as the pixel format has.
    public init(
        pixelFormat: PixelFormat, width: Int, height: Int, pixelAspectRatio: PixelAspectRatio = .square,
        colorMatrix: ColorMatrix = .bt709, isFullRange: Bool = false, presentationTime: MediaTime,
        duration: MediaTime? = nil, planes: [Plane], owner: AnyObject
    ) {
        precondition(planes.count == pixelFormat.planeCount, "a frame has the planes of its pixel format")
        self.pixelFormat = pixelFormat
        self.width = width
        self.height = height
        self.pixelAspectRatio = pixelAspectRatio
        self.colorMatrix = colorMatrix
        self.isFullRange = isFullRange
        self.presentationTime = presentationTime
        self.duration = duration
        self.planes = planes
        self.owner = owner
    }

    /// A frame that copies its planes: rows of `width` samples one after the other, and of half as many (rounded up) where
    /// the format has half of them; of `nv12`'s chroma and of `bgra` with all that belongs to a pixel.
    ///
    /// - Returns: nil for a size outside `VideoFormat.Limits`, and for planes that are too few or of another length.
    public convenience init?(
        pixelFormat: PixelFormat, width: Int, height: Int, presentationTime: MediaTime, duration: MediaTime? = nil,
        planes: [[UInt8]]
    ) {
        let sides = VideoFormat.Limits.sides
        guard sides.contains(width), sides.contains(height), VideoFormat.Limits.pixels.contains(width * height),
            planes.count == pixelFormat.planeCount
        else { return nil }
        let memory = FrameMemory(planes)
        var placed: [Plane] = []
        for index in planes.indices {
            let (bytesPerRow, rows) = pixelFormat.size(ofPlane: index, width: width, height: height)
            guard planes[index].count == bytesPerRow * rows else { return nil }
            placed.append(Plane(bytes: memory.pointers[index], bytesPerRow: bytesPerRow))
        }
        self.init(
            pixelFormat: pixelFormat, width: width, height: height, presentationTime: presentationTime,
            duration: duration, planes: placed, owner: memory)
    }

    /// Reads a plane; its pointer is good inside `body` only.
    public func withPlane<Result>(_ index: Int, _ body: (Plane) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(owner) { try body(planes[index]) }
    }
}

extension VideoFrame.PixelFormat {
    /// Bytes of a row without any behind it, and rows.
    fileprivate func size(ofPlane index: Int, width: Int, height: Int) -> (bytesPerRow: Int, rows: Int) {
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        switch (self, index > 0) {
        case (.yuv420, true): return (halfWidth, halfHeight)
        case (.yuv422, true): return (halfWidth, height)
        case (.yuv420p10, true): return (2 * halfWidth, halfHeight)
        case (.yuv422p10, true): return (2 * halfWidth, height)
        case (.nv12, true): return (2 * halfWidth, halfHeight)
        case (.yuv420p10, _), (.yuv422p10, _), (.yuv444p10, _): return (2 * width, height)
        case (.bgra, _): return (4 * width, height)
        default: return (width, height)
        }
    }
}

/// Copies of planes.
private final class FrameMemory {
    let pointers: [UnsafeRawPointer]

    init(_ planes: [[UInt8]]) {
        pointers = planes.map { plane in
            let memory = UnsafeMutableRawPointer.allocate(byteCount: max(plane.count, 1), alignment: 16)
            UnsafeMutableRawBufferPointer(start: memory, count: plane.count).copyBytes(from: plane)
            return UnsafeRawPointer(memory)
        }
    }

    deinit { for pointer in pointers { UnsafeMutableRawPointer(mutating: pointer).deallocate() } }
}
