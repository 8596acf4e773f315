package import TuttiCore

/// One picture that is shown for as long as a track lasts: its cover, or nothing but black.
package struct StillPicture: Sendable, Equatable {
    /// What `data` is.
    package let format: VideoFormat
    /// The coded picture.
    package let data: [UInt8]

    /// The longest side of a cover, in pixels.
    package static let maximumSide = 1_280

    /// A black picture: a JPEG image of 16 × 16 pixels.
    package static let blank = StillPicture(
        jpeg: PlainImage.jpeg(width: 16, height: 16, isWhite: false), width: 16, height: 16)

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
}
