package import TuttiCore

/// One picture that is shown for as long as a track lasts: its cover, or nothing but black.
package struct StillPicture: Sendable, Equatable {
    /// What `data` is.
    package let format: VideoFormat
    /// The coded picture.
    package let data: [UInt8]

    /// The longest side of a cover, in pixels.
    package static let maximumSide = 1_280

    /// A black picture: a baseline JPEG (ITU-T T.81) of 16 × 16 pixels.
    package static let blank = StillPicture(jpeg: blankImage, width: 16, height: 16)

    /// A JPEG image of this size; nil outside of the limits.
    package init?(jpeg data: [UInt8], width: Int, height: Int) {
        guard let format = VideoFormat(codec: .mjpeg, width: width, height: height) else { return nil }
        self.format = format
        self.data = data
    }

    /// The picture at a time on the timeline; a duration that is too long is cut, one that is none left out.
    package func buffer(at time: MediaTime, duration: MediaTime?) -> VideoSampleBuffer? {
        VideoSampleBuffer(
            format: format, presentationTime: time,
            duration: duration.flatMap { $0.isPositive ? min($0, VideoSampleBuffer.maximumDuration) : nil },
            isSync: true, data: data)
    }

    /// Four blocks of luma, the first 8 × 128 below the middle and the others like it, and one each of chroma, in the
    /// middle.
    private static let blankImage: [UInt8] =
        [0xFF, 0xD8]
        // One quantization table: 128 everywhere.
        + [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 128, count: 64)
        // The frame: 8 bits, 16 × 16, three components, luma twice as wide and high as chroma.
        + [0xFF, 0xC0, 0, 17, 8, 0, 16, 0, 16, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]
        // Differences of DC: 0 is "no bits", 10 is "four bits".
        + [0xFF, 0xC4, 0, 21, 0x00, 1, 1] + [UInt8](repeating: 0, count: 14) + [0, 4]
        // AC: 0 is "end of block".
        + [0xFF, 0xC4, 0, 20, 0x10, 1, 0] + [UInt8](repeating: 0, count: 14) + [0]
        // 10 0111 (-8) 0, then five times 0 0.
        + [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0, 0x9C, 0x00, 0x7F, 0xFF, 0xD9]
}
