package import TuttiCore
package import TuttiWire

/// What a group's screens are fed from.
package struct PictureSource {
    /// The pictures.
    package internal(set) var log = PictureLog()
    /// The texts above them.
    package private(set) var captions = CaptionLog()
    /// From where on pictures of the timeline are to be made (again): since the last look at this everything from there
    /// on has been forgotten.
    private var lost: Lost?
    /// Up to where all pictures of the timeline are in the log, from where they begin; nil while there are none.
    private(set) var madeUpTo: MediaTime?
    private var formats = FormatNumbers<VideoFormat>(limit: WireLimits.pictureFormats)

    /// What has been forgotten.
    package enum Lost: Equatable, Sendable {
        case everything
        case from(MediaTime)
    }

    package init() {}

    /// Adds what follows.
    ///
    /// - Parameters:
    ///   - pictures: the pictures, in the order in which they are decoded.
    ///   - beginsAnew: whether the first of them takes the place of all from its time on.
    ///   - time: up to where all pictures are there now.
    package mutating func append(_ pictures: [VideoSampleBuffer], beginsAnew: Bool, upTo time: MediaTime) {
        for (index, picture) in pictures.enumerated() {
            log.append(
                PictureLog.Entry(
                    picture: picture, formatID: formats.id(of: picture.format), beginsAnew: beginsAnew && index == 0))
        }
        madeUpTo = max(madeUpTo ?? time, time)
    }

    /// Adds the texts that follow.
    package mutating func append(_ captions: [CaptionPacket]) {
        for caption in captions { self.captions.append(caption) }
    }

    /// Forgets the texts that begin at `time` or later, or all.
    package mutating func cutCaptions(from time: MediaTime?) { captions.cut(from: time) }

    /// Forgets what nobody needs who begins at `time` or later.
    mutating func trim(before time: MediaTime) {
        log.trim(before: time)
        captions.trim(before: time)
    }

    /// Forgets what begins at `time` or later, or everything.
    package mutating func cut(from time: MediaTime?) {
        log.cut(from: time)
        captions.cut(from: time)
        switch (lost, time) {
        case (_, nil), (.everything, _): (lost, madeUpTo) = (.everything, nil)
        case (.from(let place), let time?): lost = .from(min(place, time))
        case (nil, let time?): lost = .from(time)
        }
        if let time { madeUpTo = madeUpTo.map { min($0, time) } }
    }

    /// What has been forgotten since the last call.
    package mutating func takeLost() -> Lost? {
        defer { lost = nil }
        return lost
    }

    /// A room that has been sent pictures which are no more goes back to those that take their place.
    func rewind(_ feed: inout RoomFeed) {
        if let cursor = feed.pictureCursor, cursor > log.endIndex { feed.pictureCursor = log.endIndex }
        feed.captionCursor = min(feed.captionCursor, captions.endIndex)
    }
}
