#if FFmpeg
package import TuttiCore

/// An open file, address or pipe: what it is, and its sound as stereo floats at the source's rate, gapless.
///
/// Used by one thread at a time. Only `interrupter` may be used from elsewhere meanwhile.
package final class Asset {
    /// What was opened.
    package let input: AssetInput
    /// What was chosen of its audio tracks; the one that is read is in `info`.
    package let choice: TrackChoice
    /// What is known of it.
    package let info: AssetInfo
    /// Makes blocking input of this asset give up, from any thread.
    package let interrupter: Interrupter

    let stream: DecodedStream
    /// The packets, while those are read instead of samples.
    var packets: PacketStream?
    /// The span of the medium's frames that is the asset: all of it, or one piece of a cue sheet.
    /// Of a station it is where its listeners count from.
    private(set) var firstFrame: Int64
    let endFrame: Int64?
    /// Place in the medium of the next frame to give out; negative for silence before the stream's beginning.
    var position: Int64
    private var pending: [Float] = []
    private var pendingOffset = 0
    /// Frames that the medium's header promises; nil when none does, and after the promise has been checked.
    private var promisedFrames: Int64?

    /// What may be missing at the end before a file counts as truncated: a sloppy header or a little damage.
    private static let truncationSeconds = 0.1
    /// The same where packets were damaged, which can hide how much they held.
    private static let truncationSecondsAfterDamage = 1.0

    /// Frames of encoder delay and padding that an inexact length (MP3's packet count) may include.
    private static let unknownPadding: Int64 = 4_096

    private init(
        _ input: AssetInput, choice: TrackChoice, interrupter: Interrupter, policy: ReconnectPolicy
    ) throws(AssetError) {
        self.input = input
        self.choice = choice
        self.interrupter = interrupter
        let stream = try DecodedStream.open(input, choice: choice, interrupter: interrupter, policy: policy)
        let medium = MediumDuration(stream)
        let lead = try stream.lead(policy)
        self.stream = stream
        firstFrame = max(0, input.start.frame(at: stream.sampleRate)) + lead
        endFrame = input.end.map { max(0, $0.frame(at: stream.sampleRate)) + lead } ?? medium.trimmedEnd
        info = AssetInfo(
            stream, medium: medium, firstFrame: firstFrame, lead: lead, endFrame: input.isPart ? endFrame : nil)
        position = 0
        promisedFrames = medium.isDeclared ? medium.frames : nil
        if firstFrame != 0 { try move(to: firstFrame) }
    }

    /// Opens an input and decodes its beginning.
    ///
    /// Whatever is chosen, equal times are the same place in the film: a track that begins later begins with silence
    /// here, and what lies before the beginning of the track that the medium suggests is left out.
    ///
    /// - Parameters:
    ///   - choice: which of its audio tracks is read. The one that the medium suggests, where there is no such track, or
    ///     where it cannot be decoded.
    ///   - interrupter: stops a slow open from another thread.
    ///   - policy: how a broken connection is made again.
    /// - Throws: what is wrong with the input, naming it.
    package static func open(
        _ input: AssetInput, choice: TrackChoice = .automatic, interrupter: Interrupter = Interrupter(),
        policy: ReconnectPolicy = ReconnectPolicy()
    ) throws(AssetError) -> Asset {
        try Asset(input, choice: choice, interrupter: interrupter, policy: policy)
    }

    /// Packets and stretches that were damaged so far and are silent or missing.
    package var damageCount: Int { stream.damageCount }

    /// What a station says that it plays, at the place that was read last; nil while it says nothing.
    package var streamTitle: String? { stream.demuxer.streamTitle }

    /// Where in the asset the next `read` begins.
    package var currentTime: MediaTime { MediaTime(frame: position - firstFrame, sampleRate: info.sampleRate) }

    /// The next frames: at least one and at most `maximumFrames`; nil at the end.
    ///
    /// - Throws: `.truncated` once, in place of the first nil, where the data end before their header says; what the
    ///   medium or the network say otherwise. `.interrupted` after `interrupt()`.
    package func read(maximumFrames: Int) throws(AssetError) -> PCMBlock? {
        let limit = max(1, min(maximumFrames, SampleBuffer.maximumFrameCount))
        let remaining = endFrame.map { $0 - position } ?? .max
        guard remaining > 0 else { return nil }
        if position < 0 { return silence(frames: min(limit, Int(min(-position, remaining)))) }
        if pendingOffset >= pending.count {
            if interrupter.wasInterrupted { throw .interrupted(input.name) }
            guard let samples = try stream.next() else { return try end() }
            (pending, pendingOffset) = (samples, 0)
        }
        let available = (pending.count - pendingOffset) / 2
        let count = min(available, limit, Int(remaining))
        let samples: [Float]
        if pendingOffset == 0 && count == available {
            samples = pending
            pending = []
        } else {
            samples = Array(pending[pendingOffset..<pendingOffset + count * 2])
            pendingOffset += count * 2
        }
        position += Int64(count)
        return PCMBlock(samples: samples, channelCount: 2, sampleRate: info.sampleRate)
    }

    private func silence(frames: Int) -> PCMBlock {
        position += Int64(frames)
        return PCMBlock(
            samples: [Float](repeating: 0, count: 2 * frames), channelCount: 2, sampleRate: info.sampleRate)
    }

    /// Makes the next `read` begin exactly at the frame nearest to `time`; past the end it gives nil. What a station
    /// sends next is at `time`, whenever that is.
    ///
    /// - Throws: `.notSeekable` when a pipe or live stream would have to go back.
    package func seek(to time: MediaTime) throws(AssetError) {
        let place = max(0, time.frame(at: info.sampleRate))
        if stream.demuxer.isEndless {
            firstFrame = position - place
            return
        }
        let frame = firstFrame + place
        try move(to: min(frame, endFrame ?? .max))
    }

    /// Forgets samples that were decoded and not given out.
    func dropPending() { (pending, pendingOffset) = ([], 0) }

    /// Makes blocking input give up; the asset can only be dropped afterwards.
    package func interrupt() { interrupter.interrupt() }

    func move(to frame: Int64) throws(AssetError) {
        defer { position = frame }
        // Before the stream's beginning there is nothing to read.
        let (place, target) = (max(position, 0), max(frame, 0))
        if let packets { return try packets.seek(toFrame: target) }
        let ahead = Int64((pending.count - pendingOffset) / 2)
        if target >= place, target - place <= ahead {
            pendingOffset += Int(target - place) * 2
        } else {
            (pending, pendingOffset) = ([], 0)
            pending = try stream.seek(toFrame: target)
            // A seek beyond the end leaves nothing to compare with the header's promise.
            if pending.isEmpty, stream.nextFrame < target { promisedFrames = nil }
        }
    }

    private func end() throws(AssetError) -> PCMBlock? {
        try checkPromise()
        return nil
    }

    /// - Throws: `.truncated`, once, when the medium ends before what its header says.
    func checkPromise() throws(AssetError) {
        guard let promised = promisedFrames else { return }
        promisedFrames = nil
        let missing = min(promised, endFrame ?? promised) - position
        let seconds =
            damageCount > 0 && !info.isDurationExact ? Self.truncationSecondsAfterDamage : Self.truncationSeconds
        let padding = info.isDurationExact ? 0 : Self.unknownPadding
        guard missing > max(Int64(seconds * Double(info.sampleRate)), padding) else { return }
        throw .truncated(
            input.name, at: currentTime, of: MediaTime(frame: promised - firstFrame, sampleRate: info.sampleRate))
    }
}
#endif
