import TuttiCore

/// What headerless little-endian samples on a pipe are: `--format RATE:BITS:CHANNELS`.
package struct RawFormat: Sendable, Hashable {
    /// How one sample is stored.
    package enum Sample: String, Sendable, CaseIterable {
        /// Unsigned 8-bit integers.
        case unsigned8 = "8"
        /// 16-bit integers.
        case signed16 = "16"
        /// Packed 24-bit integers.
        case signed24 = "24"
        /// 32-bit integers.
        case signed32 = "32"
        /// 32-bit floats, full scale ±1.
        case float32 = "f32"

        /// Bytes of one sample.
        package var byteCount: Int {
            switch self {
            case .unsigned8: 1
            case .signed16: 2
            case .signed24: 3
            case .signed32, .float32: 4
            }
        }

        /// The name of libavformat's reader for it.
        var demuxerName: String {
            switch self {
            case .unsigned8: "u8"
            case .signed16: "s16le"
            case .signed24: "s24le"
            case .signed32: "s32le"
            case .float32: "f32le"
            }
        }
    }

    /// Frames a second.
    package let sampleRate: Int
    /// How samples are stored.
    package let sample: Sample
    /// Interleaved channels.
    package let channelCount: Int

    /// A format; nil outside of `AudioFormat.Limits`.
    package init?(sampleRate: Int, sample: Sample, channelCount: Int) {
        guard AudioFormat.Limits.sampleRates.contains(sampleRate),
            AudioFormat.Limits.channelCounts.contains(channelCount)
        else { return nil }
        self.sampleRate = sampleRate
        self.sample = sample
        self.channelCount = channelCount
    }

    /// Reads `48000:16:2`, or `48000:f32:2` for floats.
    ///
    /// - Throws: `AssetError.badRawFormat`.
    package init(parsing text: String) throws(AssetError) {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 3, let rate = Int(fields[0]), let sample = Sample(rawValue: fields[1].lowercased()),
            let channels = Int(fields[2]),
            let format = RawFormat(sampleRate: rate, sample: sample, channelCount: channels)
        else { throw .badRawFormat(text) }
        self = format
    }
}

extension RawFormat: Codable {
    /// Reads what `init(parsing:)` reads.
    ///
    /// - Throws: `DecodingError`.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = try RawFormat(parsing: text)
    }

    /// Writes what `init(from:)` reads.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(sampleRate):\(sample.rawValue):\(channelCount)")
    }
}
