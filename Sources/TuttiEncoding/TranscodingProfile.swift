package import TuttiCore

/// What a timeline is made for: speakers of these abilities behind links of this width.
package struct TranscodingProfile: Hashable, Sendable {
    /// What travels as it is; the rest is transcoded.
    package var codecs: Set<AudioFormat.Codec>
    /// Bits a second of the Opus that the rest is encoded as; nil for FLAC.
    package var opusBitrate: Int?

    package init(codecs: Set<AudioFormat.Codec>, opusBitrate: Int? = nil) {
        self.codecs = codecs
        self.opusBitrate = opusBitrate
    }
}
