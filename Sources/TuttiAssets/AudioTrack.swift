/// An audio track of a medium.
package struct AudioTrack: Sendable, Hashable, Codable, Identifiable {
    /// The number of its stream in the medium.
    package let id: Int
    /// An ISO 639 code, maybe with a region; nil when the medium does not tell.
    package let language: String?
    /// What the medium calls it; nil when it does not.
    package let title: String?
    /// The coding by FFmpeg's name, such as `ac3`.
    package let codec: String
    /// Channels, before the mix down to two.
    package let channelCount: Int
    /// Whether the medium asks to play this one.
    package let isDefault: Bool

    /// A track.
    package init(
        id: Int, language: String? = nil, title: String? = nil, codec: String, channelCount: Int,
        isDefault: Bool = false
    ) {
        (self.id, self.language, self.title) = (id, language, title)
        (self.codec, self.channelCount, self.isDefault) = (codec, channelCount, isDefault)
    }
}
