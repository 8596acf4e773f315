import NIOCore
import TuttiAssets
import TuttiCore
import TuttiProduction
import TuttiRooms

/// Pictures: from their reader into the log that screens are fed from. Sound waits for none of it.
extension Player {
    /// Has the pictures read that screens are to show, as the timeline is now.
    func followPictures() {
        guard production.isRunning, restored == nil, phase != .finished else { return }
        guard group.hasScreens else {
            if pictures.isWorking {
                pictures.rest()
                group.cutPictures(from: nil)
            }
            return
        }
        guard startPictures() else { return }
        let spans = timeline.tracks.filter { !$0.isSilent }.map(PictureSpan.init)
        let from = newPictures(of: spans)
        pictures.follow(spans, from: from, limit: production.limit, held: group.pictures.log.byteCount)
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
        if pictures.isRunning { return true }
        do throws(SenderError) {
            let maker = try host.startPictures { serial, batch in
                self.loop.execute { self.assumeIsolated { $0.take(batch, serial: serial) } }
            }
            guard let maker else { return false }
            pictures.start(maker)
            return true
        } catch {
            return false
        }
    }

    private func take(_ batch: PictureBatch, serial: Int) {
        guard pictures.take(batch, serial: serial), phase != .finished else { return }
        if let problem = batch.problem { emit(.notice(.pictures(problem.text))) }
        group.append(pictures: batch.pictures, beginsAnew: batch.beginsAnew, upTo: batch.reached)
        followPictures()
    }
}

extension PictureSpan {
    fileprivate init(_ track: PlaybackTimeline.Track) {
        self.init(
            serial: track.serial, input: track.item.input, start: track.start, offset: track.offset, rate: track.rate,
            end: track.end)
    }
}
