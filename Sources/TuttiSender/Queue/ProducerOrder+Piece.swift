import TuttiAssets
import TuttiCore
import TuttiProduction

extension ProducerOrder {
    /// A piece from its beginning.
    init(_ piece: PlaybackTimeline.Piece, serial: Int, crossfade: MediaTime, opened: OpenedAsset? = nil) {
        self.init(
            serial: serial, input: piece.item.input, start: piece.time(of: .zero), offset: piece.offset,
            begin: piece.start, rate: piece.rate, head: piece.head, crossfade: crossfade, opened: opened)
    }

    /// The rest of a piece from `time` on, where it has been made so far.
    init(_ piece: PlaybackTimeline.Piece, from time: MediaTime, serial: Int, crossfade: MediaTime) {
        let place = piece.exact(piece.place(at: time))
        self.init(
            serial: serial, input: piece.item.input, start: time - place.scaled(by: 1 / piece.rate), offset: place,
            begin: time, rate: piece.rate, head: piece.head.flatMap { time < $0.end ? $0 : nil }, crossfade: crossfade)
    }
}
