package import TuttiCore

/// Makes pictures of coded ones. Used by one thread at a time.
package protocol VideoDecoder: AnyObject {
    /// Whether pictures that no other refers to are left out, where the coding tells them apart: the way to a picture is
    /// shorter without them. False to begin with.
    var skipsUnreferenced: Bool { get set }
    /// Takes the next picture in decoding order and gives what can be shown by then, in the order of its times: none,
    /// one, or some. Until the first sync picture has come, those that are none are left out.
    ///
    /// - Throws: why the picture cannot be decoded; decoding goes on with the next one.
    func decode(_ buffer: VideoSampleBuffer) throws(CodecError) -> [VideoFrame]
    /// Gives what is held back. The next picture must be a sync one.
    func finish() -> [VideoFrame]
    /// Forgets everything. The next picture must be a sync one.
    func reset()
}
