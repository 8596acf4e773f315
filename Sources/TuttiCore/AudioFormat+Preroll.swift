extension AudioFormat.Codec {
    /// Audio before a place that a decoder hears first, so that it gives the right samples from there on; zero where
    /// every packet decodes alone.
    ///
    /// Vorbis and AAC overlap by a packet; MP3 also takes bits from up to a dozen packets back, AAC with spectral band
    /// replication waits for a header that comes twice a second, and Opus, which is close after 80 ms (RFC 7845,
    /// section 4.6), approaches the right samples for some time longer.
    public var preroll: MediaTime {
        switch self {
        case .pcm, .float32, .flac, .alac: .zero
        case .opus, .aac, .mp3, .vorbis: MediaTime(unchecked: 500, timescale: 1_000)
        }
    }
}
