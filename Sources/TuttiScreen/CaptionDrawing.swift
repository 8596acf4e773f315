package import TuttiCore
import TuttiPlayback
import TuttiSubtitles

/// Draws what is held of texts, a little before its instants. Sans-I/O; used by one thread.
package struct CaptionDrawing {
    /// What a screen shows from an instant on, or at once, in place of all before.
    package struct Picture: Sendable {
        package let overlays: [ScreenOverlay]
        /// Nil for at once; what was to be shown later is then not.
        package let instant: HostTime?
    }

    private var renderer: SubtitleRenderer?
    /// Cards lie on the whole window: a cover is narrower.
    private var cardRenderer: SubtitleRenderer?
    private var cards: [(card: TextCard, range: TimeRange)] = []
    /// What was drawn last of a card.
    private var drawnCard: (card: TextCard, tile: SubtitleTile?)?
    private var areas = ScreenAreas(picture: usual, window: usual)
    private var lines: [PictureLine] = []
    /// The line of them that the latest pictures are on.
    private var held: Timebase?
    /// When the screen is given more; nil while it has all.
    private var next: (media: MediaTime, instant: HostTime)?
    private var isBlank = true

    /// How long before its instant a text is drawn, in ns.
    private static let lead: Int64 = 250_000_000
    /// How soon a window of another size is noticed while there is a text, in ns.
    private static let resizeInterval: Int64 = 500_000_000
    private static let maximumCards = 64
    /// Until the window's is known.
    private static let usual = PixelRectangle(x: 0, y: 0, width: 1_280, height: 720)

    /// Nothing is held.
    package init() {}

    /// Carries out orders, and draws what is due.
    ///
    /// - Parameters:
    ///   - lines: where the stream stands, earliest first; none where nothing plays.
    ///   - areas: what texts lie on; nil while that is not known.
    /// - Returns: what is shown, in this order, and when to call again; nil for when there are orders or other lines.
    package mutating func draw(
        _ orders: [CaptionOrder], lines: [PictureLine], areas: ScreenAreas?, now: HostTime
    ) -> (pictures: [Picture], next: HostTime?) {
        var pictures: [Picture] = []
        var isNew = !orders.isEmpty || lines != self.lines
        self.lines = lines
        for order in orders { carryOut(order) }
        if let areas, areas != self.areas {
            self.areas = areas
            drawnCard = nil
            try? renderer?.resize(width: areas.picture.width, height: areas.picture.height)
            try? cardRenderer?.resize(width: areas.window.width, height: areas.window.height)
            isNew = true
        }
        guard let line = timebase(at: now) else {
            (next, held) = (nil, nil)
            if !isBlank { pictures.append(show([], at: nil)) }
            return (pictures, nil)
        }
        isNew = isNew || line != held
        held = line
        if isNew {
            let media = line.mediaTime(at: HostTimeline.group(now)) ?? line.mediaTime
            let images = overlays(at: media, line)
            if !images.isEmpty || !isBlank { pictures.append(show(images, at: nil)) }
        }
        let change = lines.first { $0.instant > now }?.instant
        while let due = next, due.instant.nanoseconds(since: now) <= Self.lead, change.map({ due.instant < $0 }) ?? true
        {
            pictures.append(show(overlays(at: due.media, line), at: due.instant))
            // What changes at once, again and again, would keep the thread for ever.
            if let later = next, later.media <= due.media { next = nil }
        }
        return (pictures, deadline(now))
    }

    private func deadline(_ now: HostTime) -> HostTime? {
        let change = lines.first { $0.instant > now }?.instant
        let drawing = next.map { $0.instant.advanced(byNanoseconds: -Self.lead) }
        let resize = isBlank ? nil : now.advanced(byNanoseconds: Self.resizeInterval)
        return [change, drawing, resize].compactMap(\.self).min()
    }

    /// The line that holds; before the first, that one's place.
    private func timebase(at now: HostTime) -> Timebase? {
        if let line = lines.last(where: { $0.instant <= now }) {
            return Timebase(rate: line.rate, mediaTime: line.media, groupTime: HostTimeline.group(line.instant))
        }
        return lines.first.map {
            Timebase(rate: 0, mediaTime: $0.media, groupTime: HostTimeline.group($0.instant))
        }
    }

    private mutating func show(_ images: [ScreenOverlay], at instant: HostTime?) -> Picture {
        // What is to come may be something to be seen.
        isBlank = images.isEmpty && instant == nil
        return Picture(overlays: images, instant: instant)
    }

    // MARK: What there is

    private mutating func carryOut(_ order: CaptionOrder) {
        switch order {
        case .insert(.cue(let cue, let style)): Self.ready(&renderer, areas.picture)?.append(cue, style: style)
        case .insert(.card(let card, let range)):
            cards.append((card, range))
            if cards.count > Self.maximumCards { cards.removeFirst() }
        case .insert(.end(let time)), .flush(.some(let time)):
            renderer?.end(at: time)
            cards = cards.filter { $0.range.start < time }.map { card in
                (card.card, TimeRange(start: card.range.start, end: min(card.range.end, time)))
            }
        case .flush(nil):
            renderer?.removeAll()
            cards = []
        }
    }

    /// A renderer; nil where libass does not start.
    private static func ready(_ renderer: inout SubtitleRenderer?, _ area: PixelRectangle) -> SubtitleRenderer? {
        if renderer == nil { renderer = try? SubtitleRenderer(width: area.width, height: area.height) }
        return renderer
    }

    /// What is seen at a media time; sets when that is something else.
    private mutating func overlays(at media: MediaTime, _ line: Timebase) -> [ScreenOverlay] {
        var overlays: [ScreenOverlay] = []
        var changes: [MediaTime] = []
        if let picture = renderer?.picture(at: media) {
            overlays = picture.tiles.compactMap { Self.overlay($0, in: .picture) }
            picture.nextChange.map { changes.append($0) }
        }
        if let card = cards.last(where: { $0.range.contains(media) })?.card, let tile = tile(of: card) {
            overlays += [Self.overlay(tile, in: .window)].compactMap(\.self)
        }
        changes += cards.flatMap { [$0.range.start, $0.range.end] }.filter { $0 > media }
        next = changes.min().flatMap { change in
            line.groupTime(of: change).map { (change, HostTime(nanoseconds: $0.nanoseconds)) }
        }
        return overlays
    }

    private static func overlay(_ tile: SubtitleTile, in frame: ScreenOverlay.Frame) -> ScreenOverlay? {
        let place = tile.place
        return ScreenOverlay(
            image: tile.image,
            place: ScreenOverlay.Place(in: frame, x: place.x, y: place.y, width: place.width, height: place.height))
    }

    private mutating func tile(of card: TextCard) -> SubtitleTile? {
        if let drawnCard, drawnCard.card == card { return drawnCard.tile }
        let tile = Self.ready(&cardRenderer, areas.window)?.tile(of: card)
        drawnCard = (card, tile)
        return tile
    }
}
