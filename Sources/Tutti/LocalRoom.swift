package import TuttiCore

/// A room that a player makes for itself on this host.
package struct LocalRoom: Sendable, Hashable {
    /// An ALSA PCM, `file:PATH.wav` or `null`.
    package var device: String
    /// How the room is called.
    package var name: String
    /// Seconds held ahead, 1 … 3600.
    package var depth: Double
    /// Whether the drift correction is on; without it equal rates pass bit for bit.
    package var correctsDrift: Bool
    /// What shows the pictures, where the room is a screen.
    package var sink: VideoSinkReference?

    /// A room; depths beyond the limits count as those.
    package init(
        device: String, name: String, depth: Double, correctsDrift: Bool = true, sink: (any VideoSink)? = nil
    ) {
        self.device = device
        self.name = name
        self.depth = min(max(depth, 1), 3_600)
        self.correctsDrift = correctsDrift
        self.sink = sink.map(VideoSinkReference.init)
    }

    /// A name for the folder in which the device's, or the screen's, settings are kept.
    var folder: String {
        let (kind, whose) = sink == nil ? ("here", device) : ("screen", name)
        let letters = whose.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return kind + "-" + String(letters.suffix(64))
    }
}

/// A sink, equal to itself alone.
package struct VideoSinkReference: Sendable, Hashable {
    /// The sink.
    package let sink: any VideoSink

    package static func == (left: VideoSinkReference, right: VideoSinkReference) -> Bool { left.sink === right.sink }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(sink)) }
}
