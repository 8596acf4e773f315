#if FFmpeg
import CFFmpeg
import TuttiFFmpeg

extension DecodedStream {
    /// A shorter hole between timestamps is the rounding of coarse time bases.
    private static let shortestHoleSeconds = 0.012
    /// Only a broken timestamp or duration asks for more silence.
    private static let longestSilenceSeconds = 30.0

    /// Silence for packets that are missing before this one, as far as the timestamps show it.
    func silence(before packet: UnsafeMutablePointer<AVPacket>) -> [Float] {
        [Float](repeating: 0, count: hole(before: packet.pointee.pts, duration: packet.pointee.duration) * 2)
    }

    /// Silence of `units` of the stream's time base; none for durations that are unknown or absurd.
    func silence(units: Int64) -> [Float] { [Float](repeating: 0, count: length(units: units) * 2) }

    /// Frames that are missing before a packet with this timestamp and duration, as far as the timestamps show it.
    func hole(before timestamp: Int64, duration: Int64) -> Int {
        guard timestamp != tutti_no_pts() else { return 0 }
        let (end, overflow) = timestamp.addingReportingOverflow(duration)
        defer { expectedTimestamp = overflow || duration <= 0 ? nil : end }
        guard let expectedTimestamp, decodedTimestamp != nil else { return 0 }
        let (hole, isAbsurd) = timestamp.subtractingReportingOverflow(expectedTimestamp)
        return isAbsurd || demuxer.formatName == "hls" ? 0 : length(units: hole, atLeast: Self.shortestHoleSeconds)
    }

    /// Frames in `units` of the stream's time base; none for durations that are unknown or absurd.
    func length(units: Int64, atLeast shortest: Double = 0) -> Int {
        let base = demuxer.timeBase
        guard units > 0, base.num > 0, base.den > 0, sampleRate > 0 else { return 0 }
        let seconds = Double(units) * Double(base.num) / Double(base.den)
        return (shortest...Self.longestSilenceSeconds).contains(seconds) ? frames(units: units) : 0
    }

    /// Cuts what an MP4's packet decodes to beyond its duration: the padding in the last packet of lossy codings. Of
    /// local files the end is known better.
    func cutPadding(from samples: inout [Float], of packet: UnsafeMutablePointer<AVPacket>) {
        samples.removeLast(padding(in: samples.count / 2, duration: packet.pointee.duration) * 2)
    }

    /// How many of a packet's `frames` lie beyond its duration, where that is known to be padding.
    func padding(in frames: Int, duration: Int64) -> Int {
        let base = demuxer.timeBase
        guard input.isRemote, base.num == 1, Int(base.den) == sampleRate, demuxer.formatName.hasPrefix("mov,"),
            duration > 0, duration < frames
        else { return 0 }
        return frames - Int(duration)
    }

    /// Frames in `units` of the stream's time base, rounded to the nearest and clamped to 62 bits.
    func frames(units: Int64) -> Int {
        let base = demuxer.timeBase
        guard base.num > 0, base.den > 0 else { return 0 }
        let scaled = Int128(units) * Int128(base.num) * Int128(sampleRate)
        let half = Int128(base.den) / 2
        let rounded = (scaled + (scaled < 0 ? -half : half)) / Int128(base.den)
        return Int(max(-(1 << 61), min(1 << 61, rounded)))
    }

    /// Units of the stream's time base in `frames`, rounded down and clamped to 62 bits.
    func units(frames: Int64) -> Int64 {
        let base = demuxer.timeBase
        guard base.num > 0, base.den > 0, sampleRate > 0 else { return 0 }
        let scaled = Int128(frames) * Int128(base.den) / (Int128(base.num) * Int128(sampleRate))
        return Int64(max(-(1 << 61), min(1 << 61, scaled)))
    }
}
#endif
