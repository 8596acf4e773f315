import TuttiCore
import TuttiPlayback
import TuttiSubtitles

/// Draws what is held of texts, and gives it to the screen for its instants. Used by one thread.
struct CaptionDrawing {
    private var renderer: SubtitleRenderer?
    private var cards: [(card: TextCard, range: TimeRange)] = []
    /// What was drawn last of a card.
    private var drawnCard: (card: TextCard, tile: SubtitleTile?)?
    private var area = (width: 1_280, height: 720)
    private var lines: [PictureLine] = []
    /// When the screen is given more; nil while it has all.
    private var next: (media: MediaTime, instant: HostTime)?
    private var isBlank = true

    /// How long before its instant a text is drawn, in ns.
    private static let lead: Int64 = 250_000_000
    /// How soon a window of another size is noticed while there is a text, in ns.
    private static let resizeInterval: Int64 = 500_000_000
    private static let maximumCards = 64

    /// Carries out orders, and draws what is due.
    ///
    /// - Returns: when to call again; nil for when there are orders or other lines.
    mutating func draw(
        _ orders: [CaptionOrder], lines: [PictureLine], on screen: ScreenPictures, now: HostTime
    ) -> HostTime? {
        var isNew = !orders.isEmpty || lines != self.lines
        self.lines = lines
        for order in orders { carryOut(order) }
        if let area = screen.area, area != self.area, area.width > 0, area.height > 0 {
            self.area = area
            drawnCard = nil
            try? renderer?.resize(width: area.width, height: area.height)
            isNew = true
        }
        guard let line = timebase(at: now) else {
            if !isBlank { show([], at: nil, on: screen) }
            return nil
        }
        if isNew {
            let media = line.mediaTime(at: HostTimeline.group(now)) ?? line.mediaTime
            // Images that were to be shown later are drawn anew as well.
            let images = overlays(at: media, line)
            if !images.isEmpty || !isBlank || next != nil { show(images, at: nil, on: screen) }
        }
        while let due = next, due.instant.nanoseconds(since: now) <= Self.lead {
            show(overlays(at: due.media, line), at: due.instant, on: screen)
            // What changes at once, again and again, would keep the thread for ever.
            if let later = next, later.media <= due.media { next = nil }
        }
        return deadline(now)
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
            Timebase(rate: 0, mediaTime: $0.media, groupTime: HostTimeline.group(now))
        }
    }

    private mutating func show(_ images: [ScreenOverlay], at instant: HostTime?, on screen: ScreenPictures) {
        screen.show(images, atHostTime: instant)
        isBlank = images.isEmpty
    }

    // MARK: What there is

    private mutating func carryOut(_ order: CaptionOrder) {
        switch order {
        case .insert(.cue(let cue, let style)): ready()?.append(cue, style: style)
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

    /// The renderer; nil where libass does not start.
    private mutating func ready() -> SubtitleRenderer? {
        if renderer == nil { renderer = try? SubtitleRenderer(width: area.width, height: area.height) }
        return renderer
    }

    /// What is seen at a media time; sets when that is something else.
    private mutating func overlays(at media: MediaTime, _ line: Timebase) -> [ScreenOverlay] {
        var tiles: [SubtitleTile] = []
        var changes: [MediaTime] = []
        if let picture = renderer?.picture(at: media) {
            tiles = picture.tiles
            picture.nextChange.map { changes.append($0) }
        }
        if let card = cards.last(where: { $0.range.contains(media) })?.card, let tile = tile(of: card) {
            tiles.append(tile)
        }
        changes += cards.flatMap { [$0.range.start, $0.range.end] }.filter { $0 > media }
        next = changes.min().flatMap { change in
            line.groupTime(of: change).map { (change, HostTime(nanoseconds: $0.nanoseconds)) }
        }
        return tiles.compactMap { tile in
            let place = tile.place
            return ScreenOverlay(
                image: tile.image,
                place: ScreenOverlay.Place(
                    in: .picture, x: place.x, y: place.y, width: place.width, height: place.height))
        }
    }

    private mutating func tile(of card: TextCard) -> SubtitleTile? {
        if let drawnCard, drawnCard.card == card { return drawnCard.tile }
        let tile = ready()?.tile(of: card)
        drawnCard = (card, tile)
        return tile
    }
}
