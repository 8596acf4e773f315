#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiCore
import TuttiFFmpeg

/// The sound of one medium from its first frame to its last: stereo floats at the source's rate, with encoder delay
/// and padding gone, damaged packets as silence, and every frame's place in the medium known.
final class DecodedStream {
    let input: AssetInput
    let interrupter: Interrupter
    private let policy: ReconnectPolicy
    private let choice: TrackChoice
    private(set) var demuxer: Demuxer
    private(set) var decoder: FFmpegDecoder
    private(set) var converter: FrameConverter
    /// The place in the medium of the next frame that `next` gives out.
    var nextFrame: Int64 = 0
    /// Packets and stretches of data that could not be decoded.
    private(set) var damageCount = 0
    /// The timestamp of the medium's frame 0, in the stream's time base.
    private(set) var firstTimestamp: Int64?
    /// The timestamp and the place in the file of the medium's first packet.
    private(set) var firstPacket: (timestamp: Int64, position: Int64)?
    /// The packets that were read to decode the first frames, for whoever wants packets instead.
    private(set) var opening: [DemuxedPacket] = []
    /// Where the packet after the last one should begin.
    var expectedTimestamp: Int64?
    /// The timestamp of the first frame decoded since the last seek.
    var decodedTimestamp: Int64?
    private var primed: [Float]?
    private var hasEnded = false
    private var damageInARow = 0

    /// A run of unreadable data longer than this is the end.
    private static let maximumDamageInARow = 1_000
    /// More packets than this without a frame are not kept.
    private static let maximumOpening = 128

    /// Opens the medium and decodes its first frames.
    ///
    /// - Parameter choice: of its audio streams; the best one where there is no such.
    init(
        _ input: AssetInput, choice: TrackChoice = .automatic, interrupter: Interrupter, policy: ReconnectPolicy
    ) throws(AssetError) {
        self.input = input
        self.choice = choice
        self.interrupter = interrupter
        self.policy = policy
        demuxer = try Demuxer(input, interrupter: interrupter, policy: policy, medium: .sound(choice))
        decoder = try Self.makeDecoder(demuxer)
        converter = FrameConverter(output: .stereo)
        primed = try next()
        nextFrame = 0
        guard let primed, !primed.isEmpty else { throw damageCount > 0 ? demuxer.notAudio : .empty(input.name) }
        firstTimestamp = decodedTimestamp
    }

    /// Frames a second.
    var sampleRate: Int { converter.sampleRate }

    /// The next stretch of interleaved stereo samples, never empty; nil at the end.
    func next() throws(AssetError) -> [Float]? {
        if let first = primed {
            primed = nil
            opening = []
            return account(first)
        }
        while !hasEnded {
            let samples: [Float]
            switch try demuxer.next() {
            case .packet(let packet): samples = try decode(packet)
            case .damage:
                noteDamage()
                continue
            case .ended:
                hasEnded = true
                samples = try finish()
            }
            if !samples.isEmpty { return account(samples) }
        }
        return nil
    }

    /// The next packet as it lies in the medium; nil at the end.
    func nextPacket() throws(AssetError) -> DemuxedPacket? {
        while !hasEnded {
            switch try demuxer.next() {
            case .packet(let packet):
                damageInARow = 0
                return DemuxedPacket(packet)
            case .damage: noteDamage()
            case .ended: hasEnded = true
            }
        }
        return nil
    }

    /// Counts a packet or a stretch of data that is of no use.
    func noteDamage() {
        damageCount += 1
        damageInARow += 1
        hasEnded = hasEnded || damageInARow > Self.maximumDamageInARow
    }

    /// Starts over with a fresh demuxer, at the first packet.
    func reopen() throws(AssetError) {
        guard !input.isStandardInput, demuxer.isSeekable || input.isRemote else { throw .notSeekable(input.name) }
        demuxer = try Demuxer(input, interrupter: interrupter, policy: policy, medium: .sound(choice))
        decoder = try Self.makeDecoder(demuxer)
        forgetState()
        nextFrame = 0
    }

    /// Makes decoder and converter ready for packets from elsewhere.
    func forgetState() {
        decoder.flush()
        converter.reset()
        primed = nil
        opening = []
        hasEnded = false
        damageInARow = 0
        expectedTimestamp = nil
        decodedTimestamp = nil
    }

    /// Gives out the packets from the very first one on, in place of the frames decoded from them; nil when frames have
    /// been given out already.
    func takeOpening() -> [DemuxedPacket]? {
        guard nextFrame == 0, primed != nil, opening.count < Self.maximumOpening else { return nil }
        let packets = opening
        forgetState()
        return packets
    }

    /// Goes on at `frame` with the packets that come next, wherever they are in truth.
    func resume(at frame: Int64) {
        forgetState()
        nextFrame = frame
    }

    /// Drops frames decoded ahead, which a skipping seek jumps over; their number.
    func dropPrimed() -> Int64 {
        defer { primed = nil }
        return Int64((primed?.count ?? 0) / 2)
    }

    /// Lets `next` give out `samples` again.
    func giveBack(_ samples: [Float]) { primed = samples }

    private func account(_ samples: [Float]) -> [Float] {
        nextFrame += Int64(samples.count / 2)
        return samples
    }

    private static func makeDecoder(_ demuxer: Demuxer) throws(AssetError) -> FFmpegDecoder {
        let parameters: UnsafeMutablePointer<AVCodecParameters> = demuxer.stream.pointee.codecpar
        let (rate, channels) = (Int(parameters.pointee.sample_rate), Int(parameters.pointee.ch_layout.nb_channels))
        try check(rate: rate, channels: channels, of: demuxer.input)
        do {
            return try FFmpegDecoder(parameters: parameters, packetTimeBase: demuxer.timeBase)
        } catch .unsupported(let what) {
            throw .unsupported(demuxer.input.name, reason: what)
        } catch {
            throw .damaged(demuxer.input.name, reason: error.description)
        }
    }

    private static func check(rate: Int, channels: Int, of input: AssetInput) throws(AssetError) {
        guard AudioFormat.Limits.sampleRates.contains(rate) else {
            throw .unsupportedSampleRate(input.name, rate: rate)
        }
        guard AudioFormat.Limits.channelCounts.contains(channels) else {
            throw .unsupportedChannelCount(input.name, count: channels)
        }
    }

    private func decode(_ packet: UnsafeMutablePointer<AVPacket>) throws(AssetError) -> [Float] {
        if firstPacket == nil { firstPacket = (packet.pointee.pts, packet.pointee.pos) }
        if firstTimestamp == nil, opening.count < Self.maximumOpening { opening.append(DemuxedPacket(packet)) }
        var samples = silence(before: packet)
        do {
            try decoder.send(packet)
            let decoded = try receiveAll()
            if samples.isEmpty { samples = decoded } else { samples += decoded }
            cutPadding(from: &samples, of: packet)
            damageInARow = 0
        } catch {
            if case .outOfMemory = error { throw .damaged(input.name, reason: error.description) }
            damageCount += 1
            damageInARow += 1
            samples += silence(units: packet.pointee.duration)
        }
        return samples
    }

    private func finish() throws(AssetError) -> [Float] {
        do {
            try decoder.send(nil)
            return try receiveAll() + converter.drain()
        } catch {
            damageCount += 1
            return []
        }
    }

    private func receiveAll() throws(FFmpegError) -> [Float] {
        var result: [Float] = []
        while case .frame(let frame) = try decoder.receive() {
            if decodedTimestamp == nil, frame.pointee.pts != tutti_no_pts() { decodedTimestamp = frame.pointee.pts }
            let samples = try converter.convert(frame)
            if result.isEmpty { result = samples } else { result += samples }
        }
        return result
    }
}
#endif
