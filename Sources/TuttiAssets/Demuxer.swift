#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiCore
import TuttiFFmpeg

/// One open medium and the stream picked from it: packets, timestamps, seeking. Decodes nothing.
final class Demuxer {
    /// Which stream is picked.
    enum Medium {
        /// The audio stream that is chosen, else the best one.
        case sound(TrackChoice)
        /// The video track that the medium asks to play, else the first one.
        case pictures
        /// This one.
        case stream(Int)
    }

    /// What a read gave.
    enum Outcome {
        /// A packet of the picked stream, valid until the next read.
        case packet(UnsafeMutablePointer<AVPacket>)
        /// Bytes that make no packet; reading may go on.
        case damage
        case ended
    }

    let input: AssetInput
    let context: UnsafeMutablePointer<AVFormatContext>
    let stream: UnsafeMutablePointer<AVStream>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let interrupter: Interrupter
    private let source: DemuxerSource
    private let policy: ReconnectPolicy
    /// What a station says that it plays now; nil while it says nothing.
    private(set) var streamTitle: String?

    /// Opens `input` and finds its stream.
    ///
    /// - Parameters:
    ///   - ignoringEdits: gives an MP4's packets as they are stored, without its edit list.
    ///   - medium: which stream that is.
    init(
        _ input: AssetInput, interrupter: Interrupter, policy: ReconnectPolicy = ReconnectPolicy(),
        ignoringEdits: Bool = false, medium: Medium = .sound(.automatic)
    ) throws(AssetError) {
        FFmpegLibrary.prepare()
        self.input = input
        self.interrupter = interrupter
        self.policy = policy
        source = try DemuxerSource(input, interrupter: interrupter, policy: policy)
        if input.isRemote { interrupter.allow(seconds: policy.patience) }
        defer { interrupter.allow(nanoseconds: nil) }
        context = try source.open(ignoringEdits: ignoringEdits)
        do throws(AssetError) {
            let code = avformat_find_stream_info(context, nil)
            if code < 0 { throw source.error(FFmpegError(code: code, operation: "reading the file's start")) }
            stream = try Self.pickStream(medium, of: context, from: source, named: input.name)
            guard let packet = av_packet_alloc() else { throw source.error(.outOfMemory) }
            self.packet = packet
            source.finishOpening()
        } catch {
            source.close(context)
            throw error
        }
    }

    deinit {
        var owned: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&owned)
        source.close(context)
    }

    /// What to say of a medium whose bytes make no sound.
    var notAudio: AssetError { source.notAudio }

    /// Seconds in one unit of the packets' timestamps.
    var timeBase: AVRational { stream.pointee.time_base }

    /// Bytes of a local file that its header counts and that are not there; 0 where that cannot be told.
    var missingByteCount: Int64 {
        guard formatName == "wav", let io = context.pointee.pb, !input.isReadOnce, !input.isRemote,
            let promised = WAVHeader.promisedSize(ofFileAt: input.uri)
        else { return 0 }
        return max(0, promised - max(0, avio_size(io)))
    }

    /// libavformat's name for the kind of medium, such as `wav` or `mov,mp4,m4a,3gp,3g2,mj2`.
    var formatName: String { context.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? "" }

    /// Whether the bytes can be read in any order.
    var isSeekable: Bool {
        guard !input.isStandardInput, let io = context.pointee.pb else { return !input.isStandardInput }
        return io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0
    }

    /// Whether its timestamps may go back or leap, as in recordings of broadcasts.
    var allowsBreaks: Bool { (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_TS_DISCONT != 0 }

    /// Whether the stream is the audio stream that would be picked if nothing were chosen.
    var isBestSound: Bool { best(AVMEDIA_TYPE_AUDIO) == stream }

    /// Whether there is an audio stream.
    var hasSound: Bool { best(AVMEDIA_TYPE_AUDIO) != nil }

    /// Whether the medium is a list of further files, which fail for reasons of their own.
    private var isSegmented: Bool { ["hls", "dash"].contains(formatName) }

    /// Whether it is a station, of which there is nothing but what it sends next.
    var isEndless: Bool { source.isLive || isSegmented && input.isRemote && context.pointee.duration <= 0 }

    /// The next packet of the stream.
    ///
    /// - Parameter companion: the number of another stream whose packets are given too, after `include`.
    /// - Throws: when the medium fails; damaged data are an outcome.
    func next(or companion: Int32? = nil) throws(AssetError) -> Outcome {
        if input.isRemote { interrupter.allow(seconds: policy.patience) }
        defer { interrupter.allow(nanoseconds: nil) }
        while true {
            av_packet_unref(packet)
            let code = av_read_frame(context, packet)
            if code >= 0 {
                noteStreamTitle()
                let index = packet.pointee.stream_index
                if index == stream.pointee.index || index == companion { return .packet(packet) }
                continue
            }
            if interrupter.wasInterrupted { throw .interrupted(input.name) }
            // Some readers take a broken connection for the end.
            if let failure = source.failure { throw failure }
            if code == tutti_averror_eof() { return .ended }
            if code == tutti_averror_invalid_data() || !isSegmented, source.isDamage(code) { return .damage }
            throw source.error(FFmpegError(code: code, operation: "reading"))
        }
    }

    /// Goes to the last packet that begins at or before `timestamp`, in units of `timeBase`.
    func seek(to timestamp: Int64) -> Bool { seek(to: timestamp, of: stream) }

    /// Goes to the last packet of a stream that begins at or before `timestamp`, in units of its time base.
    func seek(to timestamp: Int64, of stream: UnsafeMutablePointer<AVStream>) -> Bool {
        avformat_seek_file(context, stream.pointee.index, .min, timestamp, timestamp, 0) >= 0
    }

    /// Has the packets of another stream read too.
    func include(_ stream: UnsafeMutablePointer<AVStream>) { stream.pointee.discard = AVDISCARD_DEFAULT }

    /// The best stream of a kind; nil without one.
    func best(_ kind: AVMediaType) -> UnsafeMutablePointer<AVStream>? {
        let index = Int(av_find_best_stream(context, kind, -1, -1, nil, 0))
        return (0..<Int(context.pointee.nb_streams)).contains(index) ? context.pointee.streams?[index] : nil
    }

    /// Stations change their title while they play: by ICY, or with a new Ogg stream behind the one before.
    private func noteStreamTitle() {
        if let title = source.takeTitle(at: packet.pointee.pos) { streamTitle = title.isEmpty ? nil : title }
        guard stream.pointee.event_flags & AVSTREAM_EVENT_FLAG_METADATA_UPDATED != 0 else { return }
        stream.pointee.event_flags &= ~AVSTREAM_EVENT_FLAG_METADATA_UPDATED
        guard input.isRemote, !isSeekable else { return }
        let parts = ["artist", "title"].compactMap { Tags.value($0, in: stream.pointee.metadata) }
        if !parts.isEmpty { streamTitle = parts.joined(separator: " - ") }
    }

    private static func pickStream(
        _ medium: Medium, of context: UnsafeMutablePointer<AVFormatContext>, from source: DemuxerSource,
        named name: String
    ) throws(AssetError) -> UnsafeMutablePointer<AVStream> {
        let count = Int(context.pointee.nb_streams)
        let best: Int
        switch medium {
        case .sound(let choice):
            let tracks = AudioTrack.tracks(of: context)
            let chosen = choice.index(among: tracks.map(\.language)).map { tracks[$0].id }
            best = chosen ?? Int(av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0))
        case .pictures:
            let tracks = VideoTrack.tracks(of: context)
            best = (tracks.first { $0.isDefault } ?? tracks.first)?.id ?? -1
            if best < 0, let coding = VideoTrack.unknownCoding(in: context) {
                throw .unsupported(name, reason: "pictures coded as \(coding) cannot be decoded")
            }
        case .stream(let index): best = index
        }
        guard (0..<count).contains(best), let streams = context.pointee.streams, let stream = streams[best] else {
            if count == 0 { throw source.notAudio }
            if case .sound = medium { throw .noAudioStream(name) }
            throw .noVideoStream(name)
        }
        for index in 0..<count where index != best { streams[index]?.pointee.discard = AVDISCARD_ALL }
        return stream
    }
}
#endif
