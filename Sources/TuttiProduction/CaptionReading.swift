package import TuttiAssets
import TuttiCore
package import TuttiWire

/// What comes of reading the texts above a timeline's pictures.
package struct CaptionBatch: Sendable {
    /// The texts, in the order in which the media have them.
    package var captions: [CaptionPacket] = []
    /// Why a track's subtitles cannot be read, or not to the end.
    package var problem: (serial: Int, text: String)?

    package init() {}
}

/// Reads a timeline's subtitles, and says what plays where there is no film.
package final class CaptionReading: SpanReading {
    package let serial: Int
    package let interrupter = Interrupter()
    private let from: MediaTime
    /// The track that is being read, and what of it.
    private var current: (span: PictureSpan, reader: SubtitleReader?)?
    private var isOver = false
    private var hasToldProblem = false

    /// Texts at a time: each search of the medium ends with some.
    private static let batchCount = 256
    /// How long a card is shown where the end of its track is not known. What follows ends it.
    private static let longest = MediaTime(frame: 21_600, sampleRate: 1)

    package init(_ work: SpanWork) { (serial, from) = (work.serial, work.from) }

    package func next(_ work: SpanWork, upToBytes most: Int) -> CaptionBatch? {
        var batch = CaptionBatch()
        turn(to: work.spans, limit: work.limit, &batch)
        if let reader = current?.reader, !isOver {
            read(reader, until: work.limit, upToBytes: min(most, work.bytes), &batch)
        }
        return batch.captions.isEmpty && batch.problem == nil ? nil : batch
    }

    private func read(
        _ reader: SubtitleReader, until limit: MediaTime, upToBytes most: Int, _ batch: inout CaptionBatch
    ) {
        var size = 0
        while size < most, batch.captions.count < Self.batchCount {
            guard let cue = try? reader.next(until: limit) else {
                isOver = reader.isOver
                break
            }
            guard let caption = CaptionPacket(.cue(cue, style: reader.style)) else { continue }
            batch.captions.append(caption)
            size += caption.payloadBytes
        }
        if let problem = reader.problem, !hasToldProblem {
            hasToldProblem = true
            batch.problem = (reader.span.serial, problem)
        }
    }

    /// Goes on to the track that is to be read now.
    private func turn(to spans: [PictureSpan], limit: MediaTime, _ batch: inout CaptionBatch) {
        guard let known = current else {
            if let span = spans.last(where: { $0.start <= from }) ?? spans.first { open(span, from: from, &batch) }
            return
        }
        if let span = spans.first(where: { $0.isSame(as: known.span) }) {
            known.reader?.end = span.end
            current?.span = span
        }
        guard isOver || known.reader == nil, let end = current?.span.end, end <= limit,
            let next = spans.first(where: { $0.follows(known.span) })
        else { return }
        open(next, from: next.start, &batch)
    }

    private func open(_ span: PictureSpan, from time: MediaTime, _ batch: inout CaptionBatch) {
        (isOver, hasToldProblem) = (false, false)
        // What was to be seen of another track, or of other subtitles of this one, is not.
        if let end = CaptionPacket(.end(max(time, span.start))) { batch.captions.append(end) }
        guard let place = span.subtitles else {
            current = (span, nil)
            if let card = span.card, !hasFilm(span) {
                let range = TimeRange(start: span.start, end: span.end ?? span.start + Self.longest)
                if let packet = CaptionPacket(.card(card, range)) { batch.captions.append(packet) }
            }
            return
        }
        current = (span, SubtitleReader(span, place, from: time, interrupter: interrupter))
    }

    private func hasFilm(_ span: PictureSpan) -> Bool {
        guard !span.input.isReadOnce else { return false }
        return (try? FilmReader(span.input, interrupter: interrupter)) != nil
    }
}
