/// What a sound file is like that is to be written, after the settings of AVAudioFile.
public struct AudioFileSettings: Sendable, Hashable {
    /// Kinds of files.
    public enum Container: String, Sendable, Hashable, CaseIterable {
        /// RIFF/WAVE; RF64 (EBU Tech 3306) beyond 4 GiB.
        case wav
        /// FLAC in its own container.
        case flac
        /// Opus in Ogg.
        case opus
        /// AAC-LC in MPEG-4.
        case m4a

        /// The kind that a file's name ends with, in lower or upper case; nil for others.
        public init?(path: String) {
            let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
            self.init(rawValue: name[name.index(after: dot)...].lowercased())
        }

        /// Whether what is read is what was written, sample by sample.
        public var isLossless: Bool { self == .wav || self == .flac }
    }

    /// Samples of lossless files.
    public enum SampleFormat: String, Sendable, Hashable, CaseIterable {
        case int16 = "16"
        case int24 = "24"
        /// Floats, full scale ±1, and louder without clipping. WAV only.
        case float32 = "32f"
    }

    /// What a file says of itself.
    public struct Tags: Sendable, Hashable {
        /// What the piece is called.
        public var title: String?
        /// Who plays it.
        public var artist: String?
        /// What it is on.
        public var album: String?
        /// The number on the album.
        public var track: Int?

        /// Tags; none by default.
        public init(title: String? = nil, artist: String? = nil, album: String? = nil, track: Int? = nil) {
            (self.title, self.artist, self.album, self.track) = (title, artist, album, track)
        }
    }

    /// What files can be.
    public enum Limits {
        /// Bits a second of Opus.
        public static let opusBitRates = 16_000...510_000
        /// Bits a second of AAC.
        public static let aacBitRates = 32_000...320_000
        /// Frames a second of Opus, which knows no other inside.
        public static let opusSampleRate = 48_000
        /// Frames a second of AAC.
        public static let aacSampleRates = [
            8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
        ]
        /// Channels of WAV and FLAC.
        public static let losslessChannelCounts = 1...8
        /// Channels of Opus and AAC.
        public static let lossyChannelCounts = 1...2
    }

    /// The kind of file.
    public var container: Container
    /// Frames a second.
    public var sampleRate: Int
    /// Channels.
    public var channelCount: Int
    /// Of WAV and FLAC; others have none.
    public var sampleFormat: SampleFormat
    /// Bits a second of Opus and AAC; nil for 160 000 and 192 000.
    public var bitRate: Int?
    /// Whether integers get triangular dither of ±1 step, always the same one. Turn it off for samples that are
    /// integers of no more bits already: they are written bit for bit.
    public var isDithered: Bool
    /// What the file says of itself.
    public var tags: Tags

    /// Settings.
    public init(
        _ container: Container, sampleRate: Int, channelCount: Int = 2, sampleFormat: SampleFormat = .int24,
        bitRate: Int? = nil, isDithered: Bool = true, tags: Tags = Tags()
    ) {
        self.container = container
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.sampleFormat = sampleFormat
        self.bitRate = bitRate
        self.isDithered = isDithered
        self.tags = tags
    }

    /// Checks that there is such a file.
    ///
    /// - Throws: `.unsupported`.
    public func validate() throws(AudioFileError) {
        let channels = container.isLossless ? Limits.losslessChannelCounts : Limits.lossyChannelCounts
        guard channels.contains(channelCount) else {
            throw .unsupported(
                "\(channelCount) channels do not fit in \(container.rawValue); it has "
                    + "\(channels.lowerBound) to \(channels.upperBound)")
        }
        switch container {
        case .wav, .flac:
            let rates = AudioFormat.Limits.sampleRates
            guard rates.contains(sampleRate) else {
                throw .unsupported(
                    "\(sampleRate) Hz cannot be written; use \(rates.lowerBound) to \(rates.upperBound) Hz")
            }
            guard container == .wav || sampleFormat != .float32 else {
                throw .unsupported("FLAC has no floats; use 16 or 24 bits, or a .wav file")
            }
            guard bitRate == nil else { throw .unsupported("a .\(container.rawValue) file has no bit rate to choose") }
        case .opus:
            guard sampleRate == Limits.opusSampleRate else {
                throw .unsupported("Opus is written at 48000 Hz, not at \(sampleRate) Hz")
            }
            try check(Limits.opusBitRates)
        case .m4a:
            guard Limits.aacSampleRates.contains(sampleRate) else {
                throw .unsupported(
                    "AAC has no \(sampleRate) Hz; use \(Limits.aacSampleRates.map(String.init).joined(separator: ", "))"
                )
            }
            try check(Limits.aacBitRates)
        }
    }

    private func check(_ bitRates: ClosedRange<Int>) throws(AudioFileError) {
        guard bitRate.map(bitRates.contains) ?? true else {
            throw .unsupported(
                "a bit rate of \(bitRate ?? 0) is not possible; use \(bitRates.lowerBound) to \(bitRates.upperBound)")
        }
    }
}
