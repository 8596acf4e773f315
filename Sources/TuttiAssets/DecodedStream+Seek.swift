#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiFFmpeg

extension DecodedStream {
    /// Makes `next` begin exactly at `frame`, or give nil where the medium ends before it.
    ///
    /// Media with exact timestamps are entered a little before and decoded from there. The timestamps of the others
    /// (MP3 by a table of contents, AAC without a container) are estimates after a jump: there packets are counted
    /// from a place that is known. Where packets cannot be counted either, everything up to the frame is decoded.
    ///
    /// - Returns: samples decoded beyond the frame, to be given out before `next` is called.
    func seek(toFrame frame: Int64) throws(AssetError) -> [Float] {
        let target = max(0, frame)
        var mustReopen = target < nextFrame
        if canEnter, target > preroll {
            var samples: [Float] = []
            let start = try enter(before: target) { (first) throws(AssetError) in
                guard let read = try next(), let decodedTimestamp else { return nil }
                samples = read
                let (offset, isAbsurd) = decodedTimestamp.subtractingReportingOverflow(first)
                return isAbsurd ? nil : Int64(frames(units: offset))
            }
            if let start {
                nextFrame = start
                giveBack(samples)
                return try discard(until: target)
            }
            mustReopen = true
        }
        if mustReopen { try reopen() }
        try count(until: target, fromStart: mustReopen)
        return try discard(until: target)
    }

    /// Media whose timestamps after a jump are those that playing through gives, frame for frame.
    private static let exactFormats: Set<String> = [
        "wav", "w64", "aiff", "au", "caf", "flac", "mov,mp4,m4a,3gp,3g2,mj2", "wv", "ogg", "tta",
    ]

    /// Whether the medium can be entered at a timestamp. Those of FLAC in Ogg are off by a packet after a jump.
    var canEnter: Bool {
        let parameters: UnsafeMutablePointer<AVCodecParameters> = demuxer.stream.pointee.codecpar
        let isFLACInOgg = demuxer.formatName == "ogg" && parameters.pointee.codec_id == AV_CODEC_ID_FLAC
        return demuxer.isSeekable && Self.exactFormats.contains(demuxer.formatName) && !isFLACInOgg
    }

    /// Frames decoded and dropped before a target, from which a decoder has its state: MP3 reaches back over a dozen
    /// packets, Opus wants 80 ms and converges further.
    var preroll: Int64 { Int64(sampleRate) / 2 }

    /// Goes to a place so far before `target` that a decoder is right there.
    ///
    /// - Parameter arrive: reads up to where it can tell the frame that is next, from the first one's timestamp; nil
    ///   where it cannot.
    /// - Returns: that frame; nil where the medium is not to be entered.
    func enter(before target: Int64, arrive: (Int64) throws(AssetError) -> Int64?) throws(AssetError) -> Int64? {
        guard let firstTimestamp else { return nil }
        var margin = preroll
        for _ in 0..<3 where margin < target {
            let timestamp = firstTimestamp.addingReportingOverflow(units(frames: target - margin))
            guard !timestamp.overflow, demuxer.seek(to: timestamp.partialValue) else { return nil }
            forgetState()
            guard let start = try arrive(firstTimestamp) else { return nil }
            if start >= 0, start <= target - margin / 4 { return start }
            margin *= 4
        }
        return nil
    }

    /// Skips packets without decoding them, up to the pre-roll before `target`.
    private func count(until target: Int64, fromStart: Bool) throws(AssetError) {
        // The first packets carry the encoder's delay, so a jump over them must leave them well behind.
        guard canCountPackets, target - nextFrame > 2 * preroll else { return }
        let origin = nextFrame + dropPrimed()
        var (units, delay, isFirst): (Int64, Int64, Bool) = (0, 0, fromStart)
        while true {
            guard case .packet(let packet) = try demuxer.next() else { break }
            if isFirst { delay = Int64(DemuxedPacket.Trims(packet)?.start ?? 0) }
            isFirst = false
            units += max(0, packet.pointee.duration)
            nextFrame = origin + Int64(frames(units: units)) - delay
            if nextFrame >= target - preroll { break }
        }
        let reached = nextFrame
        forgetState()
        nextFrame = reached
    }

    /// Whether packets say exactly how many frames they hold.
    private var canCountPackets: Bool {
        let base = demuxer.timeBase
        return Self.countableFormats.contains(demuxer.formatName) && base.num == 1 && sampleRate > 0
            && Int(base.den) % sampleRate == 0
    }

    private static let countableFormats: Set<String> = ["mp3", "aac"]

    private func discard(until target: Int64) throws(AssetError) -> [Float] {
        while nextFrame < target {
            let before = nextFrame
            guard let samples = try next() else { return [] }
            if nextFrame > target { return Array(samples[(Int(target - before) * 2)...]) }
        }
        return []
    }
}
#endif
