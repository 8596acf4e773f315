package import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiProduction
package import TuttiRooms
import TuttiSchema

/// A live input that comes in while something plays, and goes when it falls silent.
extension Player {
    /// What an input has interrupted.
    struct Interruption {
        /// The entry of the input.
        let input: QueueEntryID
        /// The entry that was interrupted, and the place in it.
        let entry: QueueEntryID
        let place: MediaTime
        /// Whether it was playing, not paused.
        let wasPlaying: Bool
    }

    /// Plays an input at once; what plays is kept for `endInterruption`.
    ///
    /// - Throws: `.notNow` while nothing plays yet, `.nothingPlaying`.
    package func interrupt(with input: AssetInput) throws(SenderError) {
        if isResting {
            // Behind what is over there is nothing to go back to.
            try add([input])
            return try resume()
        }
        let track = timeline.tracks[try currentTrack()]
        let place = track.exact(max(.zero, track.place(at: position)))
        let wasPlaying = playhead.rate > 0 || phase == .filling(thenPlay: true)
        try insert([input])
        guard let index = queue.index(of: track.entry), queue.ids.indices.contains(index + 1) else { return }
        let entry = queue.ids[index + 1]
        try begin(entry)
        if !wasPlaying { try resume() }
        interruption = Interruption(input: entry, entry: track.entry, place: place, wasPlaying: wasPlaying)
    }

    /// Whether what plays is this input, and for how many seconds it has been silent; nil where it does not play.
    package func silence(of uri: String) -> Double? {
        guard phase != .finished, let track = timeline.track(at: position), track.item.input.uri == uri,
            phase == .playing || phase == .filling(thenPlay: true)
        else { return nil }
        return live?.report?.silence ?? 0
    }

    /// The input is over: what it interrupted goes on where it was, or what follows it does.
    package func endInterruption(by uri: String) throws(SenderError) {
        follow()
        guard let current = queue.current, queue[current]?.input.uri == uri else { return }
        defer { interruption = nil }
        if let interruption, interruption.input == current, queue[interruption.entry] != nil {
            try begin(interruption.entry, goingBack: true)
            if interruption.place.isPositive, queue[interruption.entry]?.info?.duration != nil {
                try seek(.to(interruption.place))
            }
            if !interruption.wasPlaying { try pause() }
        } else if let next = queue.following(current) {
            try begin(next)
        } else if queue.count == 1 {
            return stop()
        }
        try edit { $0.remove([current]) }
    }
}
