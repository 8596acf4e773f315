#if !FFmpeg
package import TuttiCore

/// What stands for an open file in a build without the package's trait `FFmpeg`. None can be opened, so there is no
/// instance.
package final class Asset {
    package let input: AssetInput
    package let choice: TrackChoice
    package let info: AssetInfo
    package let interrupter = Interrupter()
    package let damageCount = 0
    package let streamTitle: String? = nil
    package let currentTime = MediaTime.zero

    private init(_ input: AssetInput, _ info: AssetInfo) {
        (self.input, choice, self.info) = (input, .automatic, info)
    }

    /// - Throws: `.unsupported`, always.
    package static func open(
        _ input: AssetInput, choice: TrackChoice = .automatic, interrupter: Interrupter = Interrupter(),
        policy: ReconnectPolicy = ReconnectPolicy()
    ) throws(AssetError) -> Asset {
        throw .withoutReader(input.name)
    }

    package func read(maximumFrames: Int) throws(AssetError) -> PCMBlock? { throw .withoutReader(input.name) }
    package func seek(to time: MediaTime) throws(AssetError) { throw .withoutReader(input.name) }
    package func startPackets() throws(AssetError) -> AudioFormat? { throw .withoutReader(input.name) }
    package func readPacket() throws(AssetError) -> PacketStep? { throw .withoutReader(input.name) }
    package func stopPackets() throws(AssetError) { throw .withoutReader(input.name) }
}

extension AssetTags {
    /// - Throws: `.unsupported`, always.
    package static func read(_ path: String) throws(AssetError) -> AssetTags { throw .withoutReader(path) }
}

/// What stands for the pictures of an open file in a build without the package's trait `FFmpeg`. There is no instance.
package final class FilmReader {
    package let input: AssetInput
    package let tracks: [VideoTrack]
    package let track: VideoTrack
    package let interrupter: Interrupter
    package let damageCount = 0

    /// - Throws: `.unsupported`, always.
    package init(
        _ input: AssetInput, sound: Asset? = nil, interrupter: Interrupter = Interrupter(),
        policy: ReconnectPolicy = ReconnectPolicy()
    ) throws(AssetError) {
        throw .withoutReader(input.name)
    }

    package func next() throws(AssetError) -> VideoSampleBuffer? { throw .withoutReader(input.name) }
    package func seek(to time: MediaTime) throws(AssetError) { throw .withoutReader(input.name) }
    package func select(_ track: VideoTrack) throws(AssetError) { throw .withoutReader(input.name) }
}

/// What stands for the pictures of a track in a build without the package's trait `FFmpeg`: there are none.
package final class SpanReader {
    package let span: PictureSpan
    package let from: MediaTime
    package let interrupter: Interrupter
    package let problem: String?
    package var end: MediaTime?

    package init(
        _ span: PictureSpan, from: MediaTime? = nil, artwork: AssetInfo.Artwork? = nil,
        interrupter: Interrupter = Interrupter(), policy: ReconnectPolicy = ReconnectPolicy()
    ) {
        self.span = span
        self.from = max(from ?? span.start, span.start)
        self.interrupter = interrupter
        problem = AssetError.withoutReader(span.input.name).description
        end = span.end
    }

    package func next() throws(AssetError) -> VideoSampleBuffer? { nil }
}

/// What stands for the subtitles of a track in a build without the package's trait `FFmpeg`: there are none.
package final class SubtitleReader {
    package let span: PictureSpan
    package let place: SubtitleTrack.Place
    package let interrupter: Interrupter
    package let style: SubtitleStyle? = nil
    package let problem: String?
    package var end: MediaTime?
    package let isOver = true

    package init(
        _ span: PictureSpan, _ place: SubtitleTrack.Place, from: MediaTime? = nil,
        interrupter: Interrupter = Interrupter(), policy: ReconnectPolicy = ReconnectPolicy()
    ) {
        (self.span, self.place, self.interrupter, end) = (span, place, interrupter, span.end)
        problem = AssetError.withoutReader(span.input.name).description
    }

    package func next(until: MediaTime) throws(AssetError) -> SubtitleCue? { nil }
}

/// Playlists from the web.
enum RemoteText {
    /// - Throws: `.unsupported`, always.
    static func fetch(_ address: String, policy: ReconnectPolicy, until deadline: Int64) throws(AssetError) -> [UInt8] {
        throw .withoutReader(address)
    }
}

extension AssetError {
    /// Nothing is read in this build.
    fileprivate static func withoutReader(_ name: String) -> AssetError {
        .unsupported(
            name, reason: "this build cannot open files or addresses: it was built without the package trait FFmpeg")
    }
}
#endif
