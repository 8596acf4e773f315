#if FFmpeg
import CFFmpeg
import CFFmpegFormat
package import TuttiCore
import TuttiFFmpeg

/// The coded pictures of an open file or address, one track of them at a time, in decoding order.
///
/// Times have the zero of the `Asset` of the same input, so that pictures and sound with equal times belong together;
/// those of a medium without sound begin with its pictures. Pictures before zero, which may be needed to decode later
/// ones, have the time zero.
///
/// Used by one thread at a time. Only `interrupter` may be used from elsewhere meanwhile.
package final class FilmReader {
    /// What was opened.
    package let input: AssetInput
    /// The video tracks, at least one.
    package let tracks: [VideoTrack]
    /// Makes blocking input give up, from any thread.
    package let interrupter: Interrupter
    /// The track that is read: the default one at first.
    package private(set) var track: VideoTrack
    /// Pictures and stretches of data that were damaged so far and are missing.
    package private(set) var damageCount = 0
    /// Whether times of pictures were wrong, and are left out.
    package private(set) var hasWrongTimes = false

    /// A picture on the medium's timeline.
    struct Picture {
        let buffer: VideoSampleBuffer
        /// Unlike the buffer's, negative before zero.
        let presentationTime: MediaTime
        let decodingTime: MediaTime
    }

    private struct Coded {
        let format: VideoFormat
        let isSync: Bool
        let data: [UInt8]
    }

    private let policy: ReconnectPolicy
    private(set) var demuxer: Demuxer
    private(set) var timeline: FilmTimeline
    private var stamps: LoneTimestamps<Coded>
    private var times: PictureTimes<Coded>
    /// Before `times` where packets have no presentation times, since a packet without one came first.
    private var order: (parser: PictureNumberParser, pictures: PictureOrder<Coded>)?
    private var isAtFirstPacket = true
    /// What the next picture is: the coding may change on the way.
    private var format: VideoFormat
    /// Read ahead by a seek.
    var ahead: ArraySlice<VideoSampleBuffer> = []
    /// Where the part of the medium ends that is the input; nil for its own end.
    private let end: MediaTime?
    private var hasEnded = false
    private var damageInARow = 0
    /// What ended the pictures too early; thrown once those before it have been given out.
    private var failure: AssetError?

    /// A run of unreadable data longer than this is the end.
    private static let maximumDamageInARow = 1_000
    /// Decoding times that go back by more are a break.
    private static let longestReturn = MediaTime(frame: 1, sampleRate: 1)
    /// So are those that leap by more where the kind of medium allows for breaks. Sound does the same.
    private static let longestGap = MediaTime(frame: 30, sampleRate: 1)
    /// Further from those around it no picture's time is right: pictures are reordered by less.
    private static let farTime = MediaTime(frame: 2, sampleRate: 1)
    /// Of pictures that do not tell.
    private static let usualFrameDuration = MediaTime(frame: 1, sampleRate: 25)

    /// Opens the pictures of an input.
    ///
    /// - Parameters:
    ///   - sound: the open asset of the same input, whose zero holds; without it the input is opened once more to find
    ///     that out. Where its bytes come only once that cannot be done, and the pictures' own beginning is zero.
    ///   - interrupter: stops a slow open from another thread.
    ///   - policy: how a broken connection is made again.
    /// - Throws: `.noVideoStream` for a medium without pictures, `.unsupported` for those of a coding that is not in
    ///   `VideoFormat`, and what is wrong with the input otherwise.
    package init(
        _ input: AssetInput, sound: Asset? = nil, interrupter: Interrupter = Interrupter(),
        policy: ReconnectPolicy = ReconnectPolicy()
    ) throws(AssetError) {
        let demuxer = try Demuxer(input, interrupter: interrupter, policy: policy, medium: .pictures)
        let tracks = VideoTrack.tracks(of: demuxer.context)
        guard let track = tracks.first(where: { $0.id == demuxer.stream.pointee.index }),
            var timeline = FilmTimeline(demuxer.stream)
        else { throw .noVideoStream(input.name) }
        timeline.zero = try demuxer.zero(sound: sound, pictures: demuxer.stream, interrupter, policy)
        (self.input, self.interrupter, self.policy) = (input, interrupter, policy)
        (self.demuxer, self.tracks, self.track, self.timeline) = (demuxer, tracks, track, timeline)
        format = track.format
        stamps = Self.stamps(timeline)
        times = Self.times(track, timeline, demuxer)
        end = input.end.map { $0 - input.start }
        if input.start.isPositive { try seek(to: .zero) }
    }

    /// The next picture in decoding order; nil at the end.
    ///
    /// - Throws: when the medium fails; `.interrupted` after `interrupter.interrupt()`. Damaged data are skipped;
    ///   `.damaged`, once, in place of the first nil, where nothing but such followed for too long.
    package func next() throws(AssetError) -> VideoSampleBuffer? {
        if let buffer = ahead.popFirst() { return buffer }
        if let picture = try read() { return picture.buffer }
        guard let failure else { return nil }
        self.failure = nil
        throw failure
    }

    /// The medium's subtitle tracks.
    package var subtitleTracks: [SubtitleTrack] { SubtitleTrack.tracks(of: demuxer.context) }

    /// Reads another track, from its beginning on.
    ///
    /// - Parameter track: one of `tracks`.
    /// - Throws: `.notSeekable` for a pipe.
    package func select(_ track: VideoTrack) throws(AssetError) {
        guard tracks.contains(track) else { throw .noVideoStream(input.name) }
        try reopen(track)
        if input.start.isPositive { try seek(to: .zero) }
    }

    // MARK: Reading

    /// Whether the medium can be read once more.
    var canReopen: Bool { !input.isReadOnce && (demuxer.isSeekable || input.isRemote) }

    /// Begins anew with the first picture of a track.
    func reopen(_ track: VideoTrack) throws(AssetError) {
        guard canReopen else { throw .notSeekable(input.name) }
        let demuxer = try Demuxer(input, interrupter: interrupter, policy: policy, medium: .stream(track.id))
        guard var timeline = FilmTimeline(demuxer.stream) else { throw .noVideoStream(input.name) }
        timeline.zero = self.timeline.zero
        (self.demuxer, self.track, self.timeline, format) = (demuxer, track, timeline, track.format)
        restart()
    }

    /// Forgets what was read: the packets that come next are from elsewhere.
    func restart() {
        stamps = Self.stamps(timeline)
        times = Self.times(track, timeline, demuxer)
        (ahead, hasEnded, damageInARow, failure) = ([], false, 0, nil)
        (order, isAtFirstPacket) = (nil, true)
    }

    /// The next picture as it comes from the medium.
    func read() throws(AssetError) -> Picture? {
        while true {
            if let placed = times.popFirst() {
                guard let picture = picture(placed) else {
                    noteDamage()
                    continue
                }
                if let end, picture.decodingTime >= end { finish() } else { return picture }
            }
            if hasEnded { return nil }
            if interrupter.wasInterrupted { throw .interrupted(input.name) }
            switch try demuxer.next() {
            case .packet(let packet): take(packet)
            case .damage: noteDamage()
            case .ended: finish()
            }
        }
    }

    private func finish() {
        hasEnded = true
        endOrder()
        stamps.finish()
        takeStamped()
        times.finish()
    }

    private func noteDamage() {
        damageCount += 1
        damageInARow += 1
        guard damageInARow > Self.maximumDamageInARow, !hasEnded else { return }
        failure = .damaged(input.name, reason: "no further picture can be read")
        finish()
    }

    private func take(_ packet: UnsafePointer<AVPacket>) {
        let size = Int(packet.pointee.size)
        guard (1...VideoSampleBuffer.maximumBytes).contains(size), let bytes = packet.pointee.data else {
            return noteDamage()
        }
        damageInARow = 0
        adopt(packet)
        let coded = Coded(
            format: format, isSync: packet.pointee.flags & AV_PKT_FLAG_KEY != 0,
            data: Array(UnsafeBufferPointer(start: bytes, count: size)))
        let unknown = tutti_no_pts()
        let presentation = packet.pointee.pts == unknown ? nil : packet.pointee.pts
        let decoding = packet.pointee.dts == unknown ? nil : packet.pointee.dts
        if isAtFirstPacket, presentation == nil { beginOrder() }
        isAtFirstPacket = false
        if presentation != nil { endOrder() }
        guard let number = order?.parser.number(of: packet) else {
            stamps.append(coded, presentation: presentation, decoding: decoding, duration: packet.pointee.duration)
            return takeStamped()
        }
        order?.pictures.append(
            coded, number: number, isSync: coded.isSync, decoding: decoding, duration: packet.pointee.duration)
        takeOrdered()
    }

    private func beginOrder() {
        guard let parser = PictureNumberParser(demuxer.stream) else { return }
        let frameDuration = timeline.units(track.frameDuration ?? Self.usualFrameDuration)
        order = (parser, PictureOrder(frameDuration: frameDuration))
    }

    private func endOrder() {
        order?.pictures.finish()
        takeOrdered()
        order = nil
    }

    private func takeOrdered() {
        while let next = order?.pictures.popFirst() {
            times.append(
                next.picture, presentation: next.presentation, decoding: next.decoding, duration: next.duration)
        }
    }

    private func takeStamped() {
        hasWrongTimes = hasWrongTimes || stamps.count > 0
        while let next = stamps.popFirst() {
            times.append(
                next.picture, presentation: next.presentation, decoding: next.decoding, duration: next.duration)
        }
    }

    /// Takes over a decoder configuration that begins with this packet.
    private func adopt(_ packet: UnsafePointer<AVPacket>) {
        var size = 0
        guard let bytes = av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, &size), size > 0 else { return }
        let cookie = Array(UnsafeBufferPointer(start: bytes, count: size))
        guard cookie != format.magicCookie else { return }
        format =
            VideoFormat(
                codec: format.codec, width: format.width, height: format.height,
                pixelAspectRatio: format.pixelAspectRatio, magicCookie: cookie) ?? format
    }

    /// Nil for times that are none.
    private func picture(_ placed: PictureTimes<Coded>.Placed) -> Picture? {
        guard let time = timeline.time(placed.presentation), let decodingTime = timeline.time(placed.decoding) else {
            return nil
        }
        var duration = placed.duration > 0 ? timeline.duration(placed.duration) : nil
        if time < .zero { duration = duration.map { time + $0 } }
        let isSensible = duration.map { $0.isPositive && $0 <= VideoSampleBuffer.maximumDuration } ?? false
        let buffer = VideoSampleBuffer(
            format: placed.picture.format, presentationTime: max(time, .zero), duration: isSensible ? duration : nil,
            isSync: placed.picture.isSync, data: placed.picture.data)
        return buffer.map { Picture(buffer: $0, presentationTime: time, decodingTime: decodingTime) }
    }

    private static func stamps(_ timeline: FilmTimeline) -> LoneTimestamps<Coded> {
        LoneTimestamps(far: timeline.units(farTime))
    }

    private static func times(
        _ track: VideoTrack, _ timeline: FilmTimeline, _ demuxer: Demuxer
    ) -> PictureTimes<Coded> {
        let frameDuration = timeline.units(track.frameDuration ?? usualFrameDuration)
        return PictureTimes(
            frameDuration: frameDuration, longestReturn: max(timeline.units(longestReturn), 16 * frameDuration),
            longestGap: demuxer.allowsBreaks ? timeline.units(longestGap) : nil)
    }
}
#endif
