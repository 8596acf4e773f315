package import TuttiCore
package import TuttiPlayback
package import TuttiProduction

/// What plays, and when: tracks (pieces) end to end on one media timeline, as the queue had them follow each other when their turn
/// came.
///
/// A piece begins at the exact sum of the frames of those before it, or, with a crossfade, in the ending of the one before: then both
/// are heard there, and it is the one that begins that counts. The queue says what is laid next only once the piece before
/// has been made to its end; an edit cuts the timeline where it differs from what the queue says by now. With repetition an entry
/// is laid many times.
package struct PlaybackTimeline: Sendable {
    /// The pieces, by time. Those long gone are forgotten.
    package private(set) var pieces: [Piece] = []
    /// The serial number that the next piece will have.
    package private(set) var nextSerial = 0

    /// A timeline without pieces.
    package init() {}

    /// A timeline as it was before.
    init(restoring pieces: [Piece], nextSerial: Int) {
        self.pieces = pieces
        self.nextSerial = nextSerial
    }

    /// The piece that is being made, or was made last.
    package var last: Piece? { pieces.last }

    /// The number in `pieces` of the one that is heard at `time`: the last that begins at or before it and is not silent.
    package func index(at time: MediaTime) -> Int? {
        pieces.lastIndex { $0.start <= time && !$0.isSilent } ?? pieces.indices.first
    }

    /// The piece that is heard at `time`.
    package func piece(at time: MediaTime) -> Piece? { index(at: time).map { pieces[$0] } }

    /// Lays a piece behind the last one, which is over there if it has not been made to its end.
    ///
    /// - Parameters:
    ///   - start: where its sound begins on the timeline.
    ///   - offset: the place in it that is heard there.
    ///   - rate: seconds of it in a second of the timeline.
    ///   - head: the ending that it comes into, from `start` on or later.
    @discardableResult
    package mutating func lay(
        _ entry: QueueEntryID, _ item: QueueItem, at start: MediaTime, from offset: MediaTime = .zero,
        rate: Double = 1, head: PieceEnding? = nil
    ) -> Piece {
        let piece = Piece(
            serial: nextSerial, entry: entry, item: item, start: start, offset: offset, rate: rate, head: head,
            isPlaced: head == nil || offset.isPositive)
        nextSerial += 1
        if let index = pieces.indices.last, pieces[index].end == nil { pieces[index].end = start }
        pieces.append(piece)
        return piece
    }

    /// Takes away the pieces from number `index` on.
    package mutating func cut(from index: Int) {
        pieces.removeSubrange(min(max(index, 0), pieces.count)...)
    }

    /// Forgets the pieces that have ended at or before `time`, but for the last one.
    package mutating func forget(before time: MediaTime) {
        let kept = pieces.firstIndex { piece in piece.end.map { $0 > time } ?? true } ?? pieces.count - 1
        if kept > 0 { pieces.removeFirst(kept) }
    }

    /// Changes the piece of this serial number, if it is there still.
    package mutating func change(_ serial: Int, _ body: (inout Piece) -> Void) {
        guard let index = pieces.lastIndex(where: { $0.serial == serial }) else { return }
        body(&pieces[index])
    }

    /// The number of the first piece behind `index` that is not what `queue` says follows; the number behind the last piece
    /// when all are.
    package func firstDifference<Item>(from queue: PlayQueue<Item>, behind index: Int) -> Int {
        var next = index + 1
        while next < pieces.count, pieces[next - 1].successor(in: queue) == pieces[next].entry { next += 1 }
        return next
    }

    /// The pieces at the end that gave no sound, one after the other.
    package var silentAtEnd: ArraySlice<Piece> { pieces[(pieces.lastIndex { !$0.isSilent }.map { $0 + 1 } ?? 0)...] }
}
