package import TuttiCore

/// Makes a film's pictures those of its span: on the timeline, from the sync picture before the wanted time on, to the
/// end of the span. Sans-I/O.
///
/// It reads a few pictures ahead, as far as a coding may reorder them (ITU-T H.264 and H.265: 16 pictures), for the two
/// ends: pictures after the span's end are left out unless earlier ones may refer to them, and the film's last picture
/// stays until the span's end. Pictures before the span's start have the time of the start, since the track before is
/// shown until then.
package struct SpanPictures {
    private struct Entry {
        let buffer: VideoSampleBuffer
        let time: MediaTime
        var duration: MediaTime?

        func buffer(at time: MediaTime) -> VideoSampleBuffer? {
            let limit = VideoSampleBuffer.maximumDuration
            return VideoSampleBuffer(
                format: buffer.format, presentationTime: time,
                duration: duration.flatMap { $0.isPositive ? min($0, limit) : nil }, isSync: buffer.isSync,
                data: buffer.data)
        }
    }

    /// Pictures that are read ahead, and their bytes: of larger ones there are fewer.
    private static let (depth, depthBytes) = (17, 32 << 20)
    /// The longest time before the first picture in which that is shown already, rather than a blank one.
    private static let longestLead = MediaTime(frame: 1, sampleRate: 10)

    private let span: PictureSpan
    private let from: MediaTime
    /// What was before is shown until here.
    private let floor: MediaTime
    /// Where the span ends; nil while that is unknown.
    package var end: MediaTime?
    private var pending: [Entry] = []
    private var byteCount = 0
    /// The time of the picture that decoding begins with.
    private var syncTime: MediaTime?
    /// Whether nothing more comes: the film or the span is over.
    package private(set) var isFinished = false

    /// The pictures of `span` that are needed from a time on.
    package init(_ span: PictureSpan, from: MediaTime) {
        self.span = span
        floor = max(span.start, .zero)
        self.from = max(from, floor)
        end = span.end
    }

    /// Whether another picture of the film is needed before one can be given out.
    package var wantsMore: Bool { !isFinished && pending.count < Self.depth && byteCount < Self.depthBytes }

    /// Takes the film's next picture in decoding order; its time is the place in the track.
    ///
    /// - Parameter blank: what is shown until the film's first picture, where that comes later.
    package mutating func append(_ buffer: VideoSampleBuffer, blank: (MediaTime, MediaTime) -> VideoSampleBuffer?) {
        guard !isFinished else { return }
        let time = span.time(of: buffer.presentationTime)
        if let syncTime {
            // It refers to pictures that are not there, and is not shown anyway.
            if time < syncTime, time < from { return }
            return hold(buffer, at: max(time, floor))
        }
        guard buffer.isSync else { return }
        syncTime = time
        guard time > from else { return hold(buffer, at: max(time, floor)) }
        let lead = time - floor
        if lead <= Self.longestLead { return hold(buffer, at: floor) }
        if let blank = blank(floor, lead) { push(Entry(buffer: blank, time: floor, duration: lead)) }
        hold(buffer, at: time)
    }

    private mutating func hold(_ buffer: VideoSampleBuffer, at time: MediaTime) {
        let duration = buffer.duration.map { span.time(of: buffer.presentationTime + $0) - time }
        push(Entry(buffer: buffer, time: time, duration: duration))
    }

    private mutating func push(_ entry: Entry) {
        pending.append(entry)
        byteCount += entry.buffer.data.count
    }

    /// The film has no further picture: the last one stays until the span's end, or until another one comes.
    package mutating func finish() {
        guard !isFinished else { return }
        isFinished = true
        let inside = pending.indices.filter { !isBeyond(pending[$0]) }
        guard let last = inside.max(by: { pending[$0].time < pending[$1].time }) else { return }
        let time = pending[last].time
        let rest = end.map { $0 - time } ?? VideoSampleBuffer.maximumDuration
        pending[last].duration = max(pending[last].duration ?? rest, rest)
    }

    /// The next picture in decoding order; nil when more must be read for it, or, once `isFinished`, at the end.
    package mutating func popFirst() -> VideoSampleBuffer? {
        while !wantsMore, let first = pending.first {
            let isBeyond = isBeyond(first)
            if isBeyond, pending.allSatisfy({ self.isBeyond($0) }) {
                (pending, byteCount, isFinished) = ([], 0, true)
                return nil
            }
            pending.removeFirst()
            byteCount -= first.buffer.data.count
            // Beyond the end, pictures before it may refer to it. The next track's first picture replaces it there.
            if let buffer = first.buffer(at: isBeyond ? end ?? first.time : first.time) { return buffer }
        }
        return nil
    }

    private func isBeyond(_ entry: Entry) -> Bool { end.map { entry.time >= $0 } ?? false }
}
