#if FFmpeg
import CFFmpeg
import CFFmpegFormat

/// How many frames a medium has, as its container tells.
struct MediumDuration {
    /// Frames; nil when nothing tells.
    var frames: Int64?
    /// Whether `frames` are those of the whole medium, whose streams do not tell how long each is.
    var isOfMedium = false
    /// Whether that is exact to the frame.
    var isExact = false
    /// Whether it is written in the medium and not guessed from a bit rate: then a medium that ends early is cut off.
    var isDeclared = false
    /// Where the sound ends, for containers whose last packet holds padding that libavformat leaves in.
    var trimmedEnd: Int64?

    private static let exactFormats: Set<String> = ["wav", "w64", "aiff", "au", "flac", "wv", "ogg", "tta"]
    private static let movFormat = "mov,mp4,m4a,3gp,3g2,mj2"

    init(_ stream: DecodedStream) {
        let demuxer = stream.demuxer
        let medium: UnsafeMutablePointer<AVStream> = demuxer.stream
        let total = demuxer.context.pointee.duration
        let first = stream.firstTimestamp ?? 0
        let start = medium.pointee.start_time == tutti_no_pts() ? first : medium.pointee.start_time
        let (lead, isAbsurd) = start.subtractingReportingOverflow(first)
        let (units, isLonger) = medium.pointee.duration.addingReportingOverflow(lead)
        guard medium.pointee.duration > 0, !isAbsurd, !isLonger, units > 0 else {
            isOfMedium = true
            if total > 0 { frames = Int64(Double(total) / Double(tutti_time_base()) * Double(stream.sampleRate)) }
            return
        }
        let parameters: UnsafeMutablePointer<AVCodecParameters> = medium.pointee.codecpar
        var known = Int64(stream.frames(units: units))
        // The last page's position counts the pre-skip.
        if parameters.pointee.codec_id == AV_CODEC_ID_OPUS && demuxer.formatName == "ogg" {
            known = max(0, known - Int64(max(0, parameters.pointee.initial_padding)))
        }
        if demuxer.formatName == "mp3", !stream.input.isRemote, !stream.input.isReadOnce,
            let padding = LAMETag.paddedFrames(of: stream.input.uri), padding < known
        {
            known -= padding
        }
        let missing = demuxer.missingByteCount
        if missing > 0, parameters.pointee.block_align > 0 { known += missing / Int64(parameters.pointee.block_align) }
        frames = known
        let isGuess = demuxer.context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
        guard demuxer.isSeekable, !isGuess || missing > 0 else { return }
        let name = demuxer.formatName
        isExact = Self.exactFormats.contains(name)
        isDeclared = isExact || name == "mp3" || name == Self.movFormat
        if name == Self.movFormat { refine(stream, edited: known, first: first) }
    }

    /// An edit list counts in units of the whole movie, in general milliseconds; the packets count frames. Where both
    /// agree to within a millisecond the packets are right; where the packets reach further, the edit list cuts
    /// padding off.
    private mutating func refine(_ stream: DecodedStream, edited: Int64, first: Int64) {
        guard !stream.input.isRemote, let length = Self.storedLength(stream, first: first) else { return }
        let counted = Int64(stream.frames(units: length))
        let tolerance = Int64(stream.sampleRate / 1_000 + 1)
        frames = counted <= edited + tolerance ? counted : edited
        trimmedEnd = frames
        isExact = true
    }

    /// From the medium's first frame to the end of its last packet without the edit list, looked up through a second
    /// demuxer; in units of the time base.
    private static func storedLength(_ stream: DecodedStream, first: Int64) -> Int64? {
        guard let origin = stream.firstPacket,
            let demuxer = try? Demuxer(stream.input, interrupter: stream.interrupter, ignoringEdits: true),
            case .packet(let packet)? = try? demuxer.next(), packet.pointee.pos == origin.position
        else { return nil }
        let (shift, isAbsurd) = packet.pointee.pts.subtractingReportingOverflow(origin.timestamp)
        guard !isAbsurd, demuxer.seek(to: .max / 4), let end = lastTimestamp(demuxer) else { return nil }
        let (edited, overflow) = end.subtractingReportingOverflow(shift)
        let (length, isTooLong) = edited.subtractingReportingOverflow(first)
        return overflow || isTooLong || length <= 0 ? nil : length
    }

    private static func lastTimestamp(_ demuxer: Demuxer) -> Int64? {
        var last: Int64?
        while let outcome = try? demuxer.next(), case .packet(let packet) = outcome {
            guard packet.pointee.pts != tutti_no_pts() else { continue }
            let (end, overflow) = packet.pointee.pts.addingReportingOverflow(packet.pointee.duration)
            if !overflow { last = max(last ?? end, end) }
        }
        return last
    }
}
#endif
