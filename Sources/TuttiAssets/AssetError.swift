package import TuttiCore

/// Why an input cannot be played (any further). Each case names the input, so that its text stands alone.
package enum AssetError: Error, Equatable, Sendable {
    /// No such file or folder, or the server knows no such address.
    case notFound(String)
    /// It exists and the system says why it cannot be read.
    case unreadable(String, reason: String)
    /// A folder where a file is needed.
    case isDirectory(String)
    /// A file without a byte.
    case empty(String)
    /// A folder or playlist without anything playable.
    case nothingToPlay(String)
    /// Bytes that no demuxer takes for sound.
    case notAudio(String)
    /// A medium that holds pictures or text only.
    case noAudioStream(String)
    /// A medium that holds no video track.
    case noVideoStream(String)
    /// Sound of a kind that is not played, and why.
    case unsupported(String, reason: String)
    /// More or fewer frames a second than the system carries (8 000 … 192 000).
    case unsupportedSampleRate(String, rate: Int)
    /// More channels than the system carries, or none (1 … 8).
    case unsupportedChannelCount(String, count: Int)
    /// The data are damaged beyond going on.
    case damaged(String, reason: String)
    /// The data end before their header says; what there was has been given out.
    case truncated(String, at: MediaTime, of: MediaTime)
    /// The network or the server failed.
    case network(String, reason: String)
    /// `interrupt()` was called.
    case interrupted(String)
    /// A pipe or live stream cannot go back.
    case notSeekable(String)
    /// A playlist or cue sheet that cannot be understood.
    case badPlaylist(String, reason: String)
    /// A `--format` that is not `RATE:BITS:CHANNELS` within the limits.
    case badRawFormat(String)
    /// A live input that makes no sense, and why.
    case badLiveInput(String, reason: String)
}

extension AssetError: CustomStringConvertible {
    /// One line that names the input and says what is wrong.
    package var description: String {
        switch self {
        case .notFound(let name): "\(name): no such file or address"
        case .unreadable(let name, let reason): "\(name): cannot be read: \(reason)"
        case .isDirectory(let name): "\(name): this is a folder"
        case .empty(let name): "\(name): the file is empty"
        case .nothingToPlay(let name): "\(name): nothing playable inside"
        case .notAudio(let name): "\(name): not an audio file, or damaged at its start"
        case .noAudioStream(let name): "\(name): contains no audio"
        case .noVideoStream(let name): "\(name): contains no video"
        case .unsupported(let name, let reason): "\(name): \(reason)"
        case .unsupportedSampleRate(let name, let rate):
            "\(name): cannot play \(rate) Hz (only 8000 to 192000 Hz)"
        case .unsupportedChannelCount(let name, let count):
            "\(name): cannot play \(count) channels (only 1 to 8)"
        case .damaged(let name, let reason): "\(name): damaged: \(reason)"
        case .truncated(let name, let position, let duration):
            "\(name): the file is cut off at \(Self.tenths(position)) s of \(Self.tenths(duration)) s"
        case .network(let name, let reason): "\(name): \(reason)"
        case .interrupted(let name): "\(name): interrupted"
        case .notSeekable(let name): "\(name): a pipe or live stream cannot be rewound"
        case .badPlaylist(let name, let reason), .badLiveInput(let name, let reason): "\(name): \(reason)"
        case .badRawFormat(let text):
            "\(text): a raw format is RATE:BITS:CHANNELS, such as 48000:16:2 or 48000:f32:2"
        }
    }

    private static func tenths(_ time: MediaTime) -> String {
        let units = time.converted(to: 10).value
        return "\(units / 10).\(abs(units % 10))"
    }
}
