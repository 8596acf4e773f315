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

    /// A room; depths beyond the limits count as those.
    package init(device: String, name: String, depth: Double, correctsDrift: Bool = true) {
        self.device = device
        self.name = name
        self.depth = min(max(depth, 1), 3_600)
        self.correctsDrift = correctsDrift
    }

    /// A name for the folder in which the device's settings are kept.
    var folder: String {
        let letters = device.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return "here-" + String(letters.suffix(64))
    }
}
