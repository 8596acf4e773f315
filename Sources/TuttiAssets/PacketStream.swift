#if FFmpeg
import CFFmpeg
import TuttiCore

/// The packets of one medium as they lie there, and of each which frames are heard: together exactly those that
/// `DecodedStream` gives.
final class PacketStream {
    /// What the packets are.
    let coding: OriginalCoding

    private struct Counted {
        let packet: DemuxedPacket
        let verdict: PacketLength.Verdict
        /// Frames that are missing before it.
        var hole: Int
    }

    private let stream: DecodedStream
    /// Packets read before: while the medium was opened, or to find out where a jump led.
    private var opening: ArraySlice<DemuxedPacket> = []
    private var queue: [Counted] = []
    /// Frames still to be dropped from the front of what is decoded.
    private var skip = 0
    /// The place in the medium of the next frame that is heard.
    private var nextFrame: Int64 = 0
    /// Nothing before this place is given out.
    private var target: Int64 = 0
    private var window: PrerollWindow
    /// The next packet given out is for a decoder that begins anew.
    private var isFresh = true

    /// More packets than this without a timestamp are no place to enter a medium.
    private static let maximumUntimed = 64

    /// The packets of `stream` from its beginning, or from `position` on when frames have been read already.
    init(_ stream: DecodedStream, coding: OriginalCoding, position: Int64) throws(AssetError) {
        self.stream = stream
        self.coding = coding
        window = PrerollWindow(coding.format)
        if let opening = stream.takeOpening() {
            self.opening = opening[...]
            skip = coding.delay
        } else {
            nextFrame = .max
        }
        if position != nextFrame { try seek(toFrame: position) }
    }

    /// The next step before the place `end`; nil at the end.
    func next(before end: Int64?) throws(AssetError) -> PacketStep? {
        while nextFrame < end ?? .max, let counted = try pull() {
            if let step = step(counted, end: end ?? .max) { return step }
        }
        return nil
    }

    /// Makes the next packet heard begin exactly at `frame`.
    func seek(toFrame frame: Int64) throws(AssetError) {
        target = max(0, frame)
        isFresh = true
        var mustReopen = target < nextFrame
        if stream.canEnter, target > stream.preroll {
            let start = try stream.enter(before: target) { (first) throws(AssetError) in
                restart()
                return try findPlace(first: first)
            }
            if let start {
                nextFrame = start
                return
            }
            mustReopen = true
        }
        guard mustReopen else { return }
        try stream.reopen()
        restart()
        skip = coding.delay
    }

    // MARK: Reading

    private func pull() throws(AssetError) -> Counted? {
        if !queue.isEmpty { return queue.removeFirst() }
        var next = opening.popFirst()
        if next == nil { next = try stream.nextPacket() }
        guard let packet = next else { return nil }
        let hole = stream.hole(before: packet.timestamp, duration: packet.duration)
        if stream.decodedTimestamp == nil { stream.decodedTimestamp = packet.timestamp }
        return Counted(packet: packet, verdict: coding.length.judge(packet.data), hole: hole)
    }

    /// What a packet is for the listener; nil when nothing of it is heard.
    private func step(_ counted: Counted, end: Int64) -> PacketStep? {
        if counted.hole > 0 {
            var later = counted
            later.hole = 0
            queue.insert(later, at: 0)
            return silence(counted.hole, end: end)
        }
        if counted.packet.changesFormat || counted.verdict == .otherRate { return .unsuitable }
        guard case .frames(let frames) = counted.verdict else {
            stream.noteDamage()
            return silence(stream.length(units: counted.packet.duration), end: end)
        }
        var (front, back) = trims(of: counted.packet, frames: frames)
        let start = nextFrame
        nextFrame += Int64(frames - front - back)
        let data = coding.payload(counted.packet, frameCount: frames)
        defer { window.append(data, frameCount: frames, end: nextFrame) }
        front += Int(min(nextFrame, max(target, start)) - start)
        back += Int(max(nextFrame - max(end, start), 0))
        guard front + back < frames else { return nil }
        defer { isFresh = false }
        return .packet(
            AssetPacket(
                data: data, frameCount: frames, trimAtStart: front, trimAtEnd: back,
                preroll: isFresh ? window.packets : nil))
    }

    /// What the container wants dropped of a packet, as libavcodec does it.
    private func trims(of packet: DemuxedPacket, frames: Int) -> (front: Int, back: Int) {
        if let trims = packet.trims { skip = max(0, trims.start) }
        let front = packet.isDiscarded ? frames : min(skip, frames)
        skip -= min(skip, frames)
        let asked = packet.trims?.end ?? 0
        var back = asked <= frames - front ? asked : 0
        back += stream.padding(in: frames - front - back, duration: packet.duration)
        return (front, back)
    }

    private func silence(_ frames: Int, end: Int64) -> PacketStep? {
        let start = max(nextFrame, target)
        nextFrame += Int64(frames)
        let audible = min(nextFrame, end) - start
        return audible > 0 ? .silence(frames: Int(audible)) : nil
    }

    // MARK: Jumping

    private func restart() {
        coding.length.reset()
        window.removeAll()
        (opening, queue, skip, nextFrame) = ([], [], 0, 0)
    }

    /// Reads up to a packet whose timestamp tells where the first one lies. That of a packet without frames does not.
    private func findPlace(first: Int64) throws(AssetError) -> Int64? {
        var read: [Counted] = []
        var before: Int64 = 0
        while read.count < Self.maximumUntimed, let counted = try pull() {
            guard case .frames(let frames) = counted.verdict else { return nil }
            read.append(counted)
            guard frames > 0, counted.packet.timestamp != tutti_no_pts() else {
                before += Int64(frames)
                continue
            }
            let (offset, isAbsurd) = counted.packet.timestamp.subtractingReportingOverflow(first)
            guard !isAbsurd else { return nil }
            queue = read
            return Int64(stream.frames(units: offset)) + Int64(counted.packet.trims?.start ?? 0) - before
        }
        return nil
    }
}
#endif
