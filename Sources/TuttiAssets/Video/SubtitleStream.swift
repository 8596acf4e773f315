#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiCore
import TuttiFFmpeg

/// The subtitles of one stream of a medium, on the film's timeline, read as they come.
///
/// Packets of subtitles are rare. Those of the sound, or of the pictures where there is none, tell how far was read.
final class SubtitleStream {
    private typealias Stream = UnsafeMutablePointer<AVStream>

    /// What texts refer to; nil for images.
    let style: SubtitleStyle?
    /// Whether all was read.
    private(set) var isOver = false
    /// Why it ended too early; nil when it did not.
    private(set) var problem: String?

    private let demuxer: Demuxer
    private let interrupter: Interrupter
    private let decoder: SubtitleDecoder
    private let timeline: FilmTimeline
    private let companion: (stream: Stream, timeline: FilmTimeline)?
    /// By whose times the medium finds places.
    private let index: (stream: Stream, timeline: FilmTimeline)
    /// Where the part of the medium ends that is the input; nil for its own end.
    private let end: MediaTime?
    /// How far was read.
    private var progress = MediaTime.lowest
    /// What is shown until the next packet, or this place at the latest.
    private var shown: (start: MediaTime, contents: [SubtitleCue.Content], latest: MediaTime?)?
    private var damageInARow = 0

    /// A run of unreadable data longer than this is the end.
    private static let maximumDamageInARow = 1_000
    /// How far subtitles lie behind the sound of their time in a file.
    private static let interleaving = MediaTime(frame: 1, sampleRate: 1)
    /// How long before the time sought what is shown then may have begun.
    private static let lookback = MediaTime(frame: 20, sampleRate: 1)

    /// Opens the subtitles of an input.
    ///
    /// - Parameter id: the stream's number.
    /// - Throws: `.unsupported` where there are no such subtitles, and what is wrong with the input otherwise.
    init(
        _ input: AssetInput, _ id: Int, interrupter: Interrupter, policy: ReconnectPolicy
    ) throws(AssetError) {
        let demuxer = try Self.open(input, id, interrupter, policy)
        guard SubtitleTrack(demuxer.stream) != nil, var timeline = FilmTimeline(demuxer.stream) else {
            throw .unsupported(input.name, reason: "there are no subtitles with the number \(id)")
        }
        let tracks = VideoTrack.tracks(of: demuxer.context)
        let track = tracks.first { $0.isDefault } ?? tracks.first
        let pictures = track.flatMap { demuxer.context.pointee.streams?[$0.id] }
        timeline.zero = try demuxer.zero(sound: nil, pictures: pictures, interrupter, policy)
        do throws(FFmpegError) {
            decoder = try SubtitleDecoder(demuxer.stream, pictures: track?.format)
        } catch {
            throw .unsupported(input.name, reason: "its subtitles cannot be decoded: \(error)")
        }
        style = decoder.style
        let placed = { (stream: Stream) -> (stream: Stream, timeline: FilmTimeline)? in
            guard var own = FilmTimeline(stream) else { return nil }
            own.zero = timeline.zero
            return (stream, own)
        }
        let sound = demuxer.best(AVMEDIA_TYPE_AUDIO)
        companion = (sound ?? pictures).flatMap(placed)
        index = (pictures ?? sound).flatMap(placed) ?? (demuxer.stream, timeline)
        (self.demuxer, self.timeline, self.interrupter) = (demuxer, timeline, interrupter)
        end = input.end.map { $0 - input.start }
        if let companion { demuxer.include(companion.stream) }
        if input.start.isPositive { seek(to: .zero) }
    }

    private static func open(
        _ input: AssetInput, _ id: Int, _ interrupter: Interrupter, _ policy: ReconnectPolicy
    ) throws(AssetError) -> Demuxer {
        do throws(AssetError) {
            return try Demuxer(input, interrupter: interrupter, policy: policy, medium: .stream(id))
        } catch {
            guard case .noVideoStream = error else { throw error }
            throw .unsupported(input.name, reason: "there are no subtitles with the number \(id)")
        }
    }

    /// Goes to some time before `time`, so that what is shown then is read. From a medium that cannot go anywhere all is
    /// read that comes before.
    func seek(to time: MediaTime) {
        _ = demuxer.seek(to: index.timeline.timestamp(at: time - Self.lookback), of: index.stream)
    }

    /// The next subtitles.
    ///
    /// - Parameters:
    ///   - place: where no further ones are wanted.
    ///   - longestWait: how far behind the beginning of an image its end is looked for.
    /// - Returns: nil when all that begin before `place` have been read.
    func next(until place: MediaTime, longestWait: MediaTime) throws(AssetError) -> [PlacedSubtitle]? {
        while !isOver {
            if let cues = due(longestWait) { return cues }
            let isAwaited = shown.map { $0.start < place } ?? false
            if progress >= place + Self.interleaving, !isAwaited { return nil }
            if interrupter.wasInterrupted { throw .interrupted(demuxer.input.name) }
            switch try demuxer.next(or: companion?.stream.pointee.index) {
            case .packet(let packet):
                damageInARow = 0
                if let cues = take(packet) { return cues }
            case .damage:
                damageInARow += 1
                if damageInARow > Self.maximumDamageInARow {
                    problem = "no further subtitles can be read"
                    isOver = true
                }
            case .ended: isOver = true
            }
            if let end, progress >= end + Self.interleaving { isOver = true }
        }
        return close(at: end ?? max(progress, shown.map { $0.start + longestWait } ?? progress))
    }

    private func take(_ packet: UnsafeMutablePointer<AVPacket>) -> [PlacedSubtitle]? {
        let unknown = tutti_no_pts()
        let stamp = packet.pointee.pts == unknown ? packet.pointee.dts : packet.pointee.pts
        if packet.pointee.stream_index != demuxer.stream.pointee.index {
            if stamp != unknown, let time = companion?.timeline.time(stamp) { progress = max(progress, time) }
            return nil
        }
        guard stamp != unknown, let time = timeline.time(stamp), let decoded = decoder.decode(packet) else {
            return nil
        }
        if companion == nil { progress = max(progress, time) }
        let start = time + decoded.delay
        if decoder.codec.isText {
            let end = start + (decoded.length ?? SubtitleReader.usualDuration)
            return cues(decoded.contents, start, end)
        }
        let before = close(at: start)
        if !decoded.contents.isEmpty { shown = (start, decoded.contents, decoded.length.map { start + $0 }) }
        return before
    }

    /// What is shown and has ended by itself; or has been shown for so long that its end is waited for no longer.
    private func due(_ longestWait: MediaTime) -> [PlacedSubtitle]? {
        guard let shown else { return nil }
        if let latest = shown.latest, latest <= shown.start + longestWait {
            return progress >= latest + Self.interleaving ? close(at: latest) : nil
        }
        let place = shown.start + longestWait
        guard progress >= place + Self.interleaving else { return nil }
        let cues = close(at: place)
        self.shown = (place, shown.contents, shown.latest)
        return cues
    }

    /// Ends what is shown.
    private func close(at time: MediaTime) -> [PlacedSubtitle]? {
        guard let shown else { return nil }
        self.shown = nil
        return cues(shown.contents, shown.start, shown.latest.map { min($0, time) } ?? time)
    }

    /// Nil for none.
    private func cues(
        _ contents: [SubtitleCue.Content], _ start: MediaTime, _ end: MediaTime
    ) -> [PlacedSubtitle]? {
        let end = self.end.map { min($0, end) } ?? end
        guard end.isPositive, start < end, !contents.isEmpty else { return nil }
        return contents.map { PlacedSubtitle(start: start, end: end, content: $0) }
    }
}
#endif
