import NIOCore
import TuttiAssets
import TuttiCore
import TuttiProduction
import TuttiRooms
import TuttiWire

/// Pictures, and the texts above them: from their readers into the logs that screens are fed from. Sound waits for none
/// of it.
extension Player {
    /// Has the pictures read that screens are to show, as the timeline is now.
    func followPictures() {
        guard production.isRunning, restored == nil, phase != .finished else { return }
        guard group.hasScreens else {
            if pictures.isWorking {
                pictures.rest()
                captions.rest()
                group.cutPictures(from: nil)
            }
            return
        }
        guard startPictures() else { return }
        let spans = timeline.tracks.filter { !$0.isSilent }.flatMap(spans)
        let from = newPictures(of: spans)
        pictures.follow(spans, from: from, limit: production.limit, held: group.pictures.log.byteCount)
        followCaptions(spans, from: from)
    }

    /// - Parameter from: from where on pictures are read anew, and texts with them.
    private func followCaptions(_ spans: [PictureSpan], from: MediaTime?) {
        guard group.hasCaptions else { return captions.rest() }
        guard startCaptions() else { return }
        var from = from ?? (captions.isWorking ? nil : position)
        if let time = captions.firstDifference(from: spans) {
            let place = max(time, position)
            from = from.map { min($0, place) } ?? place
        }
        if let from { group.cutCaptions(from: from) }
        captions.follow(spans, from: from, limit: production.limit, held: group.pictures.captions.byteCount)
    }

    /// From where on pictures are to be read anew; nil for nowhere.
    private func newPictures(of spans: [PictureSpan]) -> MediaTime? {
        let isNew = !pictures.isWorking
        var places: [MediaTime] = []
        switch group.pictures.takeLost() {
        case .everything where !isNew: if let last = spans.last { places.append(last.start) }
        case .from(let time) where !isNew: places.append(time)
        default: break
        }
        if isNew {
            places.append(group.picturesWantedFrom ?? position)
        } else if let time = pictures.firstDifference(from: spans) {
            places.append(time)
        }
        guard let first = places.min() else { return nil }
        group.cutPictures(from: first)
        _ = group.pictures.takeLost()
        return first
    }

    private func startPictures() -> Bool {
        pictures.start { () throws(SenderError) in
            try host.startPictures { serial, batch in
                self.loop.execute { self.assumeIsolated { $0.take(batch, serial: serial) } }
            }
        }
    }

    private func startCaptions() -> Bool {
        captions.start { () throws(SenderError) in
            try host.startCaptions { serial, batch in
                self.loop.execute { self.assumeIsolated { $0.take(batch, serial: serial) } }
            }
        }
    }

    private func take(_ batch: PictureBatch, serial: Int) {
        let bytes = batch.pictures.reduce(0) { $0 + $1.data.count }
        guard pictures.take(bytes, serial: serial), phase != .finished else { return }
        if let problem = batch.problem { emit(.notice(.pictures(problem.text))) }
        group.append(pictures: batch.pictures, beginsAnew: batch.beginsAnew, upTo: batch.reached)
        followPictures()
    }

    private func take(_ batch: CaptionBatch, serial: Int) {
        let bytes = batch.captions.reduce(0) { $0 + $1.payloadBytes }
        guard captions.take(bytes, serial: serial), phase != .finished else { return }
        if let problem = batch.problem { emit(.notice(.pictures(problem.text))) }
        group.append(captions: batch.captions)
        followPictures()
    }

    /// What is read of a track: of a live one, what it says that it plays, in turn.
    private func spans(_ track: PlaybackTimeline.Track) -> [PictureSpan] {
        let whole = span(track)
        guard track.item.input.isLive, !track.said.isEmpty else { return [whole] }
        let parts =
            [whole]
            + track.said.map { said in
                let title = said.tags?.title
                let card = title.map { TextCard(title: $0, artist: said.tags?.artist, album: said.tags?.album) }
                return PictureSpan(
                    serial: track.serial, part: said.number, input: whole.input, start: max(said.start, track.start),
                    offset: track.place(at: max(said.start, track.start)), rate: track.rate, end: track.end,
                    card: card ?? whole.card, artwork: said.tags?.artwork)
            }
        return zip(parts, parts.dropFirst().map(\.start) + [track.end]).compactMap { part, end in
            var part = part
            part.end = end
            return end.map { $0 > part.start } ?? true ? part : nil
        }
    }

    private func span(_ track: PlaybackTimeline.Track) -> PictureSpan {
        let info = track.item.info
        let card = (track.item.input.title ?? info?.title).map {
            TextCard(title: $0, artist: info?.artist ?? track.item.input.artist, album: info?.album)
        }
        let (tracks, choices) = (info?.tracks ?? MediumTracks(audio: []), trackChoices(for: track.entry))
        return PictureSpan(
            serial: track.serial, input: track.item.input, start: track.start, offset: track.offset, rate: track.rate,
            end: track.end, subtitles: tracks.subtitles(chosenBy: choices.subtitle), card: card)
    }
}
