package import TuttiAssets
import TuttiCore

/// Reads a timeline's pictures.
package final class PictureReading: SpanReading {
    package let serial: Int
    package let interrupter = Interrupter()
    private let from: MediaTime
    private var reader: SpanReader?
    /// Read, and beyond what is wanted.
    private var ahead: VideoSampleBuffer?
    private var hasTrackEnded = false
    private var isTrackNew = true
    private var hasToldProblem = false
    /// All bytes that were given.
    private var bytes = 0
    private var reached: MediaTime?

    /// A track that is over says so again when it has been over for so much longer.
    private static let step = MediaTime(frame: 1, sampleRate: 1)

    package init(_ work: SpanWork) { (serial, from) = (work.serial, work.from) }

    package func next(_ work: SpanWork, upToBytes most: Int) -> PictureBatch? {
        guard let reader = turn(to: work.spans) else { return nil }
        var batch = PictureBatch()
        let size = read(from: reader, work, upToBytes: most, into: &batch)
        bytes += size
        if isTrackNew, !batch.pictures.isEmpty { (batch.beginsAnew, isTrackNew) = (true, false) }
        if let problem = reader.problem, !hasToldProblem {
            hasToldProblem = true
            batch.problem = (reader.span.serial, problem)
        }
        let latest = batch.pictures.map(\.presentationTime).max()
        let end = hasTrackEnded ? max(reader.end ?? work.limit, reader.from) : nil
        guard let place = end ?? latest else { return batch.problem == nil ? nil : batch }
        let isNews = reached.map { place >= $0 + Self.step } ?? true
        guard isNews || !batch.pictures.isEmpty || batch.problem != nil else { return nil }
        batch.reached = max(reached ?? place, place)
        reached = batch.reached
        return batch
    }

    /// - Returns: the bytes that were read.
    private func read(
        from reader: SpanReader, _ work: SpanWork, upToBytes most: Int, into batch: inout PictureBatch
    ) -> Int {
        var size = 0
        while size < most, bytes + size < work.bytes, !hasTrackEnded {
            guard let picture = ahead ?? (try? reader.next()) else {
                hasTrackEnded = !interrupter.wasInterrupted
                break
            }
            ahead = picture
            guard picture.presentationTime < work.limit else { break }
            ahead = nil
            batch.pictures.append(picture)
            size += picture.data.count
        }
        return size
    }

    /// The reader of the track that is to be read now; nil where there is none yet.
    private func turn(to spans: [PictureSpan]) -> SpanReader? {
        guard let current = reader?.span else {
            return (spans.last { $0.start <= from } ?? spans.first).map { open($0, from: from) }
        }
        if let span = spans.first(where: { $0.isSame(as: current) }) { reader?.end = span.end }
        guard hasTrackEnded, let next = spans.first(where: { $0.follows(current) }) else { return reader }
        return open(next, from: next.start)
    }

    private func open(_ span: PictureSpan, from time: MediaTime) -> SpanReader {
        let reader = SpanReader(span, from: time, interrupter: interrupter)
        (self.reader, ahead, hasTrackEnded, isTrackNew, hasToldProblem) = (reader, nil, false, true, false)
        return reader
    }
}
