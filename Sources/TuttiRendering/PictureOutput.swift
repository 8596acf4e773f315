package import TuttiCore

/// Shows a stream's pictures, in time with its sound. Called by one thread at a time, and must not block.
package protocol PictureOutput: AnyObject, Sendable {
    /// Codings of pictures that it shows, best first.
    var codecs: [VideoFormat.Codec] { get }
    /// Whether it shows texts above them.
    var showsCaptions: Bool { get }
    /// Bytes of coded pictures that are held, and at most.
    var load: (bytes: Int, maximum: Int) { get }

    /// Takes the picture that is decoded after the last one.
    ///
    /// - Parameter beginsAnew: whether those from its time on are to make way for it and what follows.
    func insert(_ picture: VideoSampleBuffer, beginsAnew: Bool)
    /// Takes a text. One that is held already may come again.
    func insert(_ caption: Caption)
    /// Drops the pictures from a time on, and what is shown of texts from there; all of them when nil.
    func flush(from time: MediaTime?)
    /// The stream ends at a time; nil where that is not known any more.
    func setEnd(_ time: MediaTime?)
    /// The stream is gone: shows nothing.
    func clear()
    /// Says where the stream stands from which instants of this host on, earliest first: the line that holds, and one to
    /// come.
    func follow(_ lines: [PictureLine])
}
