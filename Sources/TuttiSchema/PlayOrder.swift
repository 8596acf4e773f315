package import TuttiCore

/// A request to play: what, where and how.
package struct PlayOrder: Sendable, Equatable, Codable {
    /// The tracks, in order.
    package var inputs: [ControlInput]
    /// The rooms, each as `--room` takes it.
    package var rooms: [String] = []
    /// Groups of rooms, by the names that the store has them under.
    package var groups: [String] = []
    /// `flac`, `opus`, `pcm` or `original`.
    package var codec: String?
    /// Opus: bits a second.
    package var bitrate: Int?
    /// Where in the first piece to begin, in seconds or `M:SS`.
    package var startAt: String?
    /// 0.5 … 2.
    package var rate: Double?
    /// Seconds, 0 … 12.
    package var crossfade: Double?
    /// What is made equally loud; nil for what the group had.
    package var normalise: LoudnessNormalization?
    /// Which audio track of films plays: `auto`, a number or a language; nil for what the group had.
    package var audioTrack: String?
    /// Which subtitles are shown: `off`, `auto`, a number, a language or a file; nil for what the group had.
    package var subtitle: String?
    /// The room whose card leads playback time, or `none`; nil for the one that the group had.
    package var reference: String?
    /// Whether to play in the rooms that answer when others do not.
    package var any: Bool?
    /// How loud the rooms are to be, 0 … 100; else they stay as they are.
    package var volume: Double?
    /// Seconds in which the rooms come up to their volume, 0 … 600.
    package var fade: Double?
    /// Announcements: dB of -60 … 20.
    package var gain: Double?

    /// An order for these pieces.
    package init(inputs: [ControlInput]) { self.inputs = inputs }

    private enum CodingKeys: String, CodingKey {
        case inputs, rooms, groups, codec, bitrate, startAt, rate, crossfade, normalise, reference, any, volume, fade
        case gain, audioTrack, subtitle
    }

    /// Reads an order; lists that are left out are empty.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        inputs = try object.decodeIfPresent([ControlInput].self, forKey: .inputs) ?? []
        rooms = try object.decodeIfPresent([String].self, forKey: .rooms) ?? []
        groups = try object.decodeIfPresent([String].self, forKey: .groups) ?? []
        codec = try object.decodeIfPresent(String.self, forKey: .codec)
        bitrate = try object.decodeIfPresent(Int.self, forKey: .bitrate)
        startAt = try object.decodeIfPresent(String.self, forKey: .startAt)
        rate = try object.decodeIfPresent(Double.self, forKey: .rate)
        crossfade = try object.decodeIfPresent(Double.self, forKey: .crossfade)
        normalise = try object.decodeIfPresent(LoudnessNormalization.self, forKey: .normalise)
        reference = try object.decodeIfPresent(String.self, forKey: .reference)
        any = try object.decodeIfPresent(Bool.self, forKey: .any)
        volume = try object.decodeIfPresent(Double.self, forKey: .volume)
        fade = try object.decodeIfPresent(Double.self, forKey: .fade)
        gain = try object.decodeIfPresent(Double.self, forKey: .gain)
        audioTrack = try object.decodeIfPresent(String.self, forKey: .audioTrack)
        subtitle = try object.decodeIfPresent(String.self, forKey: .subtitle)
    }
}
