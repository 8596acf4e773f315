import TuttiCore
import TuttiEncoding

/// The timeline for speakers that cannot decode all of its original formats, or whose links cannot carry them: the same
/// sound at the same places, in FLAC or Opus where they cannot. Belongs to the rooms' group.
final class TranscodedTimeline {
    /// Whom it is made for.
    let kind: TranscodingProfile
    /// The packets.
    var log = PacketLog()

    private let encoder: Transcoder
    /// Counts what was handed to the encoder.
    private var batch = 0
    /// What was cut while it may still have been with the encoder: of batches before `batch`, from `time` on.
    private var cuts: [(batch: Int, time: MediaTime)] = []
    private var hasBegun = false

    init(_ kind: TranscodingProfile) {
        self.kind = kind
        encoder = Transcoder(kind)
    }

    /// Packets that are handed to the encoder at once: what comes of the first is not to wait for all.
    private static let portion = 64

    /// Restarts with what `original` has from `time` on.
    ///
    /// - Parameter isEnd: nothing follows: nothing is held back.
    func begin(
        _ original: PacketLog, at time: MediaTime, isEnd: Bool, done: @escaping @Sendable (Int, [SampleBuffer]) -> Void
    ) {
        removeAll()
        hasBegun = true
        let (entrance, first) = (original.entrance(at: time), original.index(at: time))
        let earlier = (entrance..<max(first, entrance)).compactMap { original[$0]?.buffer }
        let buffers = (first..<max(original.endIndex, first)).compactMap { original[$0]?.buffer }
        for start in stride(from: 0, to: buffers.count, by: Self.portion) {
            let end = min(start + Self.portion, buffers.count)
            encode(
                Array(buffers[start..<end]), earlier: start == 0 ? earlier : [], isEnd: isEnd && end == buffers.count,
                done: done)
        }
    }

    /// Takes what follows.
    func append(_ buffers: [SampleBuffer], isEnd: Bool, done: @escaping @Sendable (Int, [SampleBuffer]) -> Void) {
        guard hasBegun else { return }
        encode(buffers, isEnd: isEnd, done: done)
    }

    /// Whether the audio at `time` is there, or will be.
    func reaches(_ time: MediaTime) -> Bool { hasBegun && log.start.map { $0 <= time } ?? true }

    /// Of what came out of the encoder, that which has not been cut meanwhile.
    func current(_ buffers: [SampleBuffer], of batch: Int) -> [SampleBuffer] {
        precondition(batch < self.batch, "packets come back of a batch that was never encoded")
        cuts.removeAll { $0.batch <= batch }
        guard let limit = cuts.map(\.time).min() else { return buffers }
        return buffers.filter { $0.presentationTime < limit }
    }

    /// Forgets what begins at `time` or later.
    func cut(from time: MediaTime) {
        _ = log.cut(from: time)
        cuts.append((batch, time))
    }

    /// Forgets everything.
    func removeAll() {
        log.removeAll()
        cuts.append((batch, .lowest))
    }

    /// Forgets everything until it is restarted.
    func rest() {
        removeAll()
        hasBegun = false
    }

    private func encode(
        _ buffers: [SampleBuffer], earlier: [SampleBuffer] = [], isEnd: Bool = false,
        done: @escaping @Sendable (Int, [SampleBuffer]) -> Void
    ) {
        let batch = batch
        self.batch += 1
        encoder.encode(buffers, earlier: earlier, isEnd: isEnd) { done(batch, $0) }
    }
}
