import TuttiPlayback

/// Formats that decoders were found for, so that each is asked about once: to make a decoder takes time.
struct DecodableFormats<Format: Hashable & Sendable>: Sendable {
    /// How many are remembered.
    private let most = 64
    private var known: Set<Format> = []

    /// Refuses what no decoder can be made for, cookie included.
    ///
    /// - Parameter refusal: why a format cannot be decoded; nil when it can.
    /// - Throws: `unsupportedFormat`.
    mutating func check(_ format: Format, _ refusal: (Format) -> String?) throws(PlaybackError) {
        guard !known.contains(format) else { return }
        if let reason = refusal(format) { throw .unsupportedFormat(reason) }
        if known.count >= most { known.removeAll() }
        known.insert(format)
    }
}
