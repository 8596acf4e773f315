package import TuttiCore

/// One playable thing, before it is opened.
package struct AssetInput: Sendable, Hashable, Codable {
    /// A path, an `http(s)://` address, a live source as `LiveAddress` reads it, or `-` for standard input.
    package var uri: String
    /// What a playlist or cue sheet calls it; wins over the file's own tag.
    package var title: String?
    /// The performer that a playlist or cue sheet names; wins over the file's own tag.
    package var artist: String?
    /// The album that a cue sheet names; wins over the file's own tag.
    package var album: String?
    /// The track number in a cue sheet.
    package var track: Int?
    /// Where in the file the piece begins.
    package var start: MediaTime
    /// Where in the file it ends; nil for the file's own end.
    package var end: MediaTime?
    /// What raw samples on standard input are; nil to find out from the data.
    package var rawFormat: RawFormat?

    /// The whole of `uri`, or the part from `start` to `end`.
    package init(
        uri: String, title: String? = nil, artist: String? = nil, album: String? = nil, track: Int? = nil,
        start: MediaTime = .zero, end: MediaTime? = nil, rawFormat: RawFormat? = nil
    ) {
        self.uri = uri
        self.title = title
        self.artist = artist
        self.album = album
        self.track = track
        self.start = start
        self.end = end
        self.rawFormat = rawFormat
    }

    /// The argument that stands for standard input.
    package static let standardInput = "-"

    /// Whether the input is standard input.
    package var isStandardInput: Bool { uri == Self.standardInput }

    /// Whether it is a part of its file, as a track of a cue sheet is.
    package var isPart: Bool { start.isPositive || end != nil }

    /// Seconds into the file where a part of it begins; nil for the whole of a file.
    package var partStart: Double? { isPart ? start.seconds : nil }

    /// Whether its bytes come only once: from standard input, a pipe, a device or a live source.
    package var isReadOnce: Bool {
        isStandardInput || isLive || !isRemote && (try? LocalFile.kind(of: uri)) == .other
    }

    /// Whether it is live: it plays at a stated time after it was captured.
    package var isLive: Bool { LiveAddress.isOne(uri) }

    /// Whether the input is fetched over the network.
    package var isRemote: Bool { Self.isRemote(uri) }

    /// How errors name the input.
    package var name: String { isStandardInput ? "standard input" : uri }

    static func isRemote(_ uri: String) -> Bool {
        let scheme = uri.prefix(8).lowercased()
        return scheme.hasPrefix("http://") || scheme == "https://"
    }
}
