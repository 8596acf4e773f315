/// Why a text chooses no track.
package enum TrackChoiceError: Error, Equatable, Sendable {
    /// It is none of what an audio track can be chosen by.
    case badAudioTrack(String)
    /// It is none of what subtitles can be chosen by.
    case badSubtitle(String)
    /// No track has this number.
    case noSuchNumber(Int)

    /// What is quoted of a text, in characters.
    private static let maximumQuote = 80

    init(_ text: String, of kind: TrackChoice.Kind) {
        let quote = String(PeerText.shown(text).prefix(Self.maximumQuote))
        self = kind == .audio ? .badAudioTrack(quote) : .badSubtitle(quote)
    }
}

extension TrackChoiceError: CustomStringConvertible {
    /// One line that says what can be chosen.
    package var description: String {
        switch self {
        case .badAudioTrack(let text):
            "\(text): an audio track is auto, a number from 1, or a language such as en"
        case .badSubtitle(let text):
            "\(text): subtitles are off, auto, a number from 1, a language such as en, or a file that is named .srt, .ass, "
                + ".ssa or .vtt"
        case .noSuchNumber(let number): "\(number): tracks are numbered from 1 to \(TrackChoice.numbers.upperBound)"
        }
    }
}
