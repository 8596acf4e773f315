package import TuttiCore

/// Shows a stream's pictures, in time with its sound. Called by one thread at a time, and must not block.
package protocol PictureOutput: AnyObject, Sendable {
    /// Codings of pictures that it shows, best first.
    var codecs: [VideoFormat.Codec] { get }
    /// Bytes of coded pictures that are held, and at most.
    var load: (bytes: Int, maximum: Int) { get }

    /// Takes the picture that is decoded after the last one.
    ///
    /// - Parameter beginsAnew: whether those from its time on are to make way for it and what follows.
    func insert(_ picture: VideoSampleBuffer, beginsAnew: Bool)
    /// Drops the pictures from a time on; all of them when nil.
    func flush(from time: MediaTime?)
    /// The stream is gone: shows nothing.
    func clear()
    /// Says where the stream stands from which instants of this host on, earliest first: the line that holds, and one to
    /// come.
    func follow(_ lines: [PictureLine])
}

/// Where a stream stands from an instant on.
package struct PictureLine: Sendable, Equatable {
    /// Seconds of media a second.
    package let rate: Double
    /// Where it stands at the instant.
    package let media: MediaTime
    /// The instant.
    package let instant: HostTime

    package init(rate: Double, media: MediaTime, instant: HostTime) {
        (self.rate, self.media, self.instant) = (rate, media, instant)
    }
}
