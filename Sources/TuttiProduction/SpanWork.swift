package import TuttiAssets
package import TuttiCore

/// What is to be read of a timeline's pictures, or of the texts above them.
package struct SpanWork: Sendable, Equatable {
    /// The number of the work, which grows; what was read for an older one is dropped.
    package var serial: Int
    /// The tracks, by time.
    package var spans: [PictureSpan]
    /// From where on the timeline.
    package var from: MediaTime
    /// Up to where, for now.
    package var limit: MediaTime
    /// Bytes that may be read now.
    package var bytes: Int

    package init(serial: Int, spans: [PictureSpan], from: MediaTime, limit: MediaTime, bytes: Int) {
        self.serial = serial
        self.spans = spans
        self.from = from
        self.limit = limit
        self.bytes = bytes
    }
}
