package import TuttiCore
package import TuttiRooms

/// Which tracks of films play.
extension Player {
    /// What people have chosen. It holds for every film of the queue.
    package var trackChoices: TrackChoices { scheduling.tracks }

    /// Chooses subtitles. What plays is not touched.
    package func setSubtitle(_ choice: TrackChoice) throws(SenderError) {
        defer { commit() }
        if phase == .finished { throw .nothingPlaying }
        scheduling.tracks.subtitle = choice
    }
}
