package import TuttiCore

/// What is known of an asset once it is open.
package struct AssetInfo: Sendable, Equatable, Codable {
    /// A picture embedded in the file.
    package struct Artwork: Sendable, Equatable {
        /// The picture file's bytes; at most `maximumBytes`.
        package let data: [UInt8]
        /// Such as `image/jpeg`.
        package let mimeType: String

        /// Larger pictures are left out.
        package static let maximumBytes = 8 << 20

        package init(data: [UInt8], mimeType: String) {
            self.data = data
            self.mimeType = mimeType
        }
    }

    /// From the tags, the playlist or the cue sheet.
    package var title: String?
    /// Who plays.
    package var artist: String?
    /// The album's name.
    package var album: String?
    /// The number of the track on its album.
    package var track: Int?
    /// Length; nil for live streams and pipes.
    package var duration: MediaTime?
    /// Whether `duration` is exact to the frame and not estimated from sizes and bit rates.
    package var isDurationExact: Bool
    /// Whether `duration` is what the medium or a list says, right to a tenth of a second, and not guessed from a bit
    /// rate.
    package var isDurationDeclared: Bool
    /// Frames a second, as blocks are read.
    package var sampleRate: Int
    /// Channels of the source, before the mix down to two.
    package var channelCount: Int
    /// Significant bits of the source's samples, 8 … 32; 16 for lossy codings, 32 for floats.
    package var bitDepth: Int
    /// The coding by FFmpeg's name, such as `flac` or `pcm_s16le`.
    package var codec: String
    /// How loud it is; nil when nothing is known of that.
    package var loudness: TrackLoudness?
    /// What there is to choose; nil for one track of music without chapters.
    package var tracks: MediumTracks?
    /// The cover, if there is one; it is not written where this is encoded.
    package var artwork: Artwork?
    /// Whether it is a station or a live source, of which there is nothing but what it gives next; not written either.
    package var isEndless = false

    private enum CodingKeys: String, CodingKey {
        case title, artist, album, track, duration, isDurationExact, isDurationDeclared, sampleRate, channelCount
        case bitDepth, codec, loudness, tracks
    }

    /// Whether the figures are such as an asset has; not so where what was written has been tampered with.
    package var isPlausible: Bool {
        AudioFormat.Limits.sampleRates.contains(sampleRate) && AudioFormat.Limits.bitDepths.contains(bitDepth)
            && (duration.map { $0 >= .zero } ?? true) && (loudness?.isPlausible ?? true)
            && (tracks?.isPlausible ?? true)
    }
}
