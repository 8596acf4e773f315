import TuttiAssets
import TuttiCore
import TuttiPlayback
package import TuttiSchema
import TuttiStretch

/// Going elsewhere in the programme. Where all rooms hold what is wanted, only the line moves.
extension Player {
    /// Moves within the piece that is heard; beyond its end the next one begins.
    /// Before the player runs it says where the programme is to begin.
    package func seek(_ target: SeekTarget) throws(SenderError) {
        defer { commit() }
        if phase == .finished { throw .nothingPlaying }
        if producer == nil, case .to(let time) = target {
            group.playhead = Playhead(rate: 0, media: max(time, .zero), group: playhead.group)
            return
        }
        let index = try heardPiece()
        let piece = programme.pieces[index]
        let place =
            switch target {
            case .to(let time): time
            case .by(let distance): piece.place(at: position) + distance
            }
        if let length = piece.length, place >= length {
            guard let next = queue.following(piece.entry) else {
                throw .notNow("the track is only \(Int(length.seconds)) s long")
            }
            return try begin(next)
        }
        try go(to: max(place, .zero), inPiece: index)
        let heard = programme.piece(at: playhead.media)
        // In its ending the next one may be heard already.
        if heard?.entry == piece.entry { follow(heard) } else { follow() }
        reviseJoins()
    }

    /// Goes to the next piece.
    package func next() throws(SenderError) {
        defer { commit() }
        let index = try heardPiece()
        var next = queue.following(programme.pieces[index].entry)
        for piece in programme.pieces[(index + 1)...] where piece.isSilent && piece.entry == next {
            next = queue.following(piece.entry)
        }
        guard let next else { throw .notNow("this is the last track") }
        try begin(next)
    }

    /// Goes to the start of the piece, or, in its first three seconds, to the one before.
    package func previous() throws(SenderError) {
        defer { commit() }
        let index = try heardPiece()
        let piece = programme.pieces[index]
        var earlier = queue.preceding(piece.entry)
        while let entry = earlier, queue[entry]?.failure != nil, queue[entry]?.info == nil, entry != piece.entry {
            earlier = queue.preceding(entry)
        }
        if piece.place(at: position) <= MediaTime(frame: 3, sampleRate: 1), let earlier {
            return try begin(earlier, goingBack: true)
        }
        try goToBeginning(ofPiece: index, behind: index)
        follow(programme.piece(at: playhead.media))
        reviseJoins()
    }

    /// Goes to the entry at `index` of the queue.
    package func jump(to index: Int) throws(SenderError) {
        defer { commit() }
        _ = try heardPiece()
        try begin(try entry(at: index))
    }

    /// Plays this piece from the place that is heard, and all that follow, so many times as fast, with the pitch kept.
    package func setRate(_ newRate: Double) throws(SenderError) {
        defer { commit() }
        guard TimeStretcher.rates.contains(newRate) else { throw .badOption("a rate is from 0.5 to 2") }
        if producer == nil, phase != .finished {
            rate = newRate
            return
        }
        let index = try heardPiece()
        guard newRate != rate else { return }
        let piece = programme.pieces[index]
        try checkReadable(piece.entry)
        guard piece.info?.duration != nil else { throw .notNow("the rate of a track of unknown length cannot change") }
        rate = newRate
        let place = piece.exact(piece.place(at: position))
        let time = piece.time(of: place)
        programme.cut(from: index)
        produce(piece.entry, at: time, from: place)
        refill(at: time)
        follow(programme.piece(at: playhead.media))
    }

    /// Goes to the beginning of an entry: where it is laid already, else it is laid behind the piece that is heard.
    func begin(_ entry: QueueEntryID, goingBack: Bool = false) throws(SenderError) {
        guard let heard = programme.index(at: position) else { return produce(entry, at: playhead.media) }
        let laid = programme.pieces.indices.filter { $0 != heard && programme.pieces[$0].entry == entry }
        if let index = goingBack ? laid.last(where: { $0 < heard }) : laid.first(where: { $0 > heard }) ?? laid.last {
            try goToBeginning(ofPiece: index, behind: heard)
        } else if programme.pieces[heard].entry == entry {
            try goToBeginning(ofPiece: heard, behind: heard)
        } else {
            try layAnew(entry, behind: heard)
        }
        if goingBack { queue.goBack(to: entry) } else { queue.jump(to: entry) }
        follow(programme.piece(at: playhead.media))
        revise()
        reviseJoins()
    }

    private func heardPiece() throws(SenderError) -> Int {
        if phase == .connecting { throw .notNow("the rooms are still connecting") }
        if phase == .finished { throw .nothingPlaying }
        follow()
        guard let index = programme.index(at: position) else { throw .notNow("nothing is playing yet") }
        return index
    }

    /// Goes to the beginning of a piece that is laid. One that comes into the ending of another is laid anew, behind the piece that
    /// is heard, to begin by itself.
    private func goToBeginning(ofPiece index: Int, behind heard: Int) throws(SenderError) {
        let piece = programme.pieces[index]
        if piece.head == nil { try go(to: .zero, inPiece: index) } else { try layAnew(piece.entry, behind: heard) }
    }

    /// Goes to a place in a piece that is laid.
    private func go(to place: MediaTime, inPiece index: Int) throws(SenderError) {
        let piece = programme.pieces[index]
        let place = piece.exact(place)
        let time = piece.time(of: place)
        if group.log.contains(time), time >= piece.start, piece.end.map({ time < $0 }) ?? true {
            if phase == .playing, group.holds(time) {
                return group.move(Playhead(rate: 1, media: time, group: soon()))
            }
        } else {
            try checkReadable(piece.entry)
            programme.cut(from: index)
            produce(piece.entry, at: time, from: place, head: piece.head.flatMap { time < $0.end ? $0 : nil })
        }
        refill(at: time)
    }

    private func layAnew(_ entry: QueueEntryID, behind index: Int) throws(SenderError) {
        try checkReadable(entry)
        let heard = programme.pieces[index]
        // Where it has not been made to its end, the other one lies where that is to be expected.
        let end = heard.end ?? heard.length.map { heard.time(of: $0) } ?? group.log.end ?? position
        let time = max(end, position)
        programme.cut(from: index + 1)
        produce(entry, at: time)
        refill(at: time)
    }

    private func checkReadable(_ entry: QueueEntryID) throws(SenderError) {
        guard hasReadStandardInput, queue[entry]?.input.isStandardInput == true else { return }
        throw .notNow("standard input can be moved only within what is buffered")
    }

    /// Has all rooms drop what they hold and fills them from `time`, to go on there.
    private func refill(at time: MediaTime) {
        let thenPlay = phase == .playing || phase == .filling(thenPlay: true)
        group.hold(at: time)
        group.refill(from: time)
        shownItem = nil
        guard phase != .connecting else { return }
        emit(.state(.buffering))
        fill(thenPlay: thenPlay)
    }
}
