/// What people have chosen of the tracks of films. It holds for every film until they choose otherwise, but for a file of
/// subtitles, which belongs to one film.
package struct TrackChoices: Sendable, Hashable {
    /// Which audio track plays.
    package var audio: TrackChoice
    /// Which subtitles are shown.
    package var subtitle: TrackChoice

    /// Choices.
    package init(audio: TrackChoice = .automatic, subtitle: TrackChoice = .automatic) {
        (self.audio, self.subtitle) = (audio, subtitle)
    }

    /// What holds for other films than the one for which this was chosen.
    package var forOtherFilms: TrackChoices {
        if case .file = subtitle { TrackChoices(audio: audio) } else { self }
    }
}

extension TrackChoices: Codable {
    private enum CodingKeys: String, CodingKey { case audio, subtitle }

    /// Reads `{"audio": …, "subtitle": …}`, each as `TrackChoice` reads it, or automatic where it is left out.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func choice(_ key: CodingKeys, _ kind: TrackChoice.Kind) throws -> TrackChoice {
            guard let text = try fields.decodeIfPresent(String.self, forKey: key) else { return .automatic }
            do throws(TrackChoiceError) {
                return try TrackChoice(parsing: text, of: kind)
            } catch {
                throw DecodingError.dataCorruptedError(forKey: key, in: fields, debugDescription: "\(error)")
            }
        }
        self.init(audio: try choice(.audio, .audio), subtitle: try choice(.subtitle, .subtitle))
    }

    /// Writes both.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(audio.description, forKey: .audio)
        try fields.encode(subtitle.description, forKey: .subtitle)
    }
}
