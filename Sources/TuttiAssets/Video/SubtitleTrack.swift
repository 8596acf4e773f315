/// Subtitles of a film: a track of its medium, or a file beside it.
package struct SubtitleTrack: Sendable, Hashable, Codable, Identifiable {
    /// Where subtitles are.
    package enum Place: Sendable, Hashable, Codable {
        /// In the stream of the medium with this number.
        case stream(Int)
        /// In the file at this path.
        case file(String)
    }

    /// How subtitles are coded.
    package enum Codec: String, Sendable, Hashable, Codable, CaseIterable {
        case subRip = "subrip"
        /// Advanced SubStation Alpha, and SubStation Alpha before it.
        case ass
        case webVTT = "webvtt"
        /// MP4 timed text (ETSI TS 126 245).
        case timedText = "mov_text"
        /// Presentation graphics of Blu-ray discs.
        case pgs
        /// Subpictures of DVDs.
        case vobSub = "vobsub"
        /// Subtitles of broadcasts (ETSI EN 300 743).
        case dvb

        /// Whether they are texts, and not images of such.
        package var isText: Bool {
            switch self {
            case .subRip, .ass, .webVTT, .timedText: true
            case .pgs, .vobSub, .dvb: false
            }
        }
    }

    /// Where they are.
    package let id: Place
    package let codec: Codec
    /// An ISO 639 code, maybe with a region (`pt-BR`); nil when neither the medium nor the file's name tells.
    package let language: String?
    /// What the medium or the file's name calls them; nil when it does not.
    package let title: String?
    /// Whether the medium asks to show these.
    package let isDefault: Bool
    /// Whether they are for those who understand the film's language: foreign speech and signs only.
    package let isForced: Bool

    /// A track.
    package init(
        id: Place, codec: Codec, language: String? = nil, title: String? = nil, isDefault: Bool = false,
        isForced: Bool = false
    ) {
        (self.id, self.codec, self.language, self.title) = (id, codec, language, title)
        (self.isDefault, self.isForced) = (isDefault, isForced)
    }
}
