import TuttiAssets
import TuttiCore

/// What the producer is to make: one piece of the programme.
struct ProducerOrder: Sendable {
    /// The piece's serial number, which grows from order to order; what was made for an older one is dropped.
    let serial: Int
    let input: AssetInput
    /// Where the piece's first frame lies on the timeline, or would.
    let start: MediaTime
    /// The place in it to begin at.
    let offset: MediaTime
    /// Where that place lies on the timeline.
    let begin: MediaTime
    /// How many seconds of it pass in a second of the timeline.
    let rate: Double

    init(_ piece: Programme.Piece) {
        serial = piece.serial
        input = piece.item.input
        start = piece.time(of: .zero)
        offset = piece.offset
        begin = piece.start
        rate = piece.rate
    }
}
