import Glibc

/// Loudness in tags: ReplayGain 2.0, and that of Opus files (RFC 7845, section 5.2.1).
extension TrackLoudness {
    /// The loudness that a gain of ReplayGain leads to, in LUFS.
    private static let replayGainReference = -18.0
    /// The loudness that a gain of Opus files leads to, in LUFS.
    private static let opusReference = -23.0
    /// Gains beyond this are mistakes, in dB.
    private static let gains = -60.0...60.0
    /// Peaks beyond this are mistakes; 1 is full scale.
    private static let peaks = 0.0...32.0

    /// What tags say. Those of Opus win: in its files there should be no others. They are about what decoders give out,
    /// which have applied the gain in the header.
    ///
    /// - Parameter value: a tag's value by its lower-case name.
    package init(tags value: (_ name: String) -> String?) {
        func measure(_ scope: String) -> Measure? {
            let peak = value("replaygain_\(scope)_peak").flatMap(Self.peak)
            if let gain = value("r128_\(scope)_gain").flatMap(Self.opusGain) {
                return Measure(integrated: Self.opusReference - gain, peak: peak)
            }
            guard let gain = value("replaygain_\(scope)_gain").flatMap(Self.gain) else { return nil }
            return Measure(integrated: Self.replayGainReference - gain, peak: peak)
        }
        self.init(track: measure("track"), album: measure("album"))
    }

    /// Decibels as in `-7.03 dB`; some programs write a comma.
    private static func gain(_ text: String) -> Double? {
        var text = text.lowercased().replacing(",", with: ".")[...]
        if text.hasSuffix("db") { text = text.dropLast(2) }
        return decimal(text).flatMap { gains.contains($0) ? $0 : nil }
    }

    /// 256ths of a decibel, in 16 bits with a sign.
    private static func opusGain(_ text: String) -> Double? {
        Int16(text.trimmingBlanks()).map { Double($0) / 256 }.flatMap { gains.contains($0) ? $0 : nil }
    }

    /// A sample in decibels; nil for none, and for silence.
    private static func peak(_ text: String) -> Double? {
        let number = decimal(text.replacing(",", with: ".")[...])
        guard let peak = number, peaks.contains(peak), peak > 0 else { return nil }
        return 20 * log10(peak)
    }

    /// A number of digits, a point and a sign: hexadecimal ones, exponents and words are mistakes.
    private static func decimal(_ text: Substring) -> Double? {
        let text = text.trimmingBlanks()
        guard text.count <= 24, text.allSatisfy({ "0123456789.+-".contains($0) }) else { return nil }
        return Double(text)
    }
}
