package import TuttiAssets
package import TuttiCore

/// What the producer is to make: one piece of the programme, or the rest of it.
package struct ProducerOrder: Sendable {
    /// The order's number, which grows; what was made for an older one is dropped.
    package let serial: Int
    package let input: AssetInput
    /// Where the piece's first frame lies on the timeline, or would.
    package let start: MediaTime
    /// The place in it to begin at.
    package let offset: MediaTime
    /// Where that place lies on the timeline.
    package let begin: MediaTime
    /// How many seconds of it pass in a second of the timeline.
    package let rate: Double
    /// The ending of the piece before that this one comes into: it begins where that says, which is the place of `start` if
    /// anything of this piece has been made.
    package let head: PieceEnding?
    /// The longest crossfade with the next piece, in seconds of the timeline: so long an ending is left to be made with that.
    package let crossfade: MediaTime
    /// An input that has been opened already: perhaps this one.
    private(set) var opened: OpenedAsset?

    /// An ending by itself.
    package init(_ ending: PieceEnding, serial: Int) {
        self.init(
            serial: serial, input: ending.input, start: ending.time - ending.place.scaled(by: 1 / ending.rate),
            offset: ending.place, begin: ending.time, rate: ending.rate, head: nil, crossfade: .zero)
    }

    package init(
        serial: Int, input: AssetInput, start: MediaTime, offset: MediaTime, begin: MediaTime, rate: Double,
        head: PieceEnding?, crossfade: MediaTime, opened: OpenedAsset? = nil
    ) {
        self.serial = serial
        self.input = input
        self.start = start
        self.offset = offset
        self.begin = begin
        self.rate = rate
        self.head = head
        self.crossfade = crossfade
        self.opened = opened
    }

    /// Whether reading may take long.
    var isSlow: Bool { input.isRemote || input.isReadOnce || head?.input.isRemote ?? false }

    /// Where the ending begins that is left to be made with the next piece; nil when there is none.
    package func endingPlace(of info: AssetInfo) -> MediaTime? {
        guard let place = info.endingPlace(crossfade: crossfade, rate: rate) else { return nil }
        let begin = MediaTime(frame: offset.frame(at: info.sampleRate), sampleRate: info.sampleRate)
        return max(place, begin)
    }

    /// The ending from `place` on, which lies at `time`; nil when nothing is left.
    package func ending(of info: AssetInfo, from place: MediaTime, at time: MediaTime) -> PieceEnding? {
        guard let duration = info.duration, duration > place else { return nil }
        return PieceEnding(
            input: input, place: place, time: time, end: time + (duration - place).scaled(by: 1 / rate), rate: rate,
            sampleRate: info.sampleRate, crossfade: min(crossfade, duration.scaled(by: 0.5 / rate)))
    }
}
