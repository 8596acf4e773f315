import TuttiCore

/// A subtitle on the timeline of its film.
struct PlacedSubtitle {
    /// The place in the film from which on it is shown.
    var start: MediaTime
    /// The place from which on it is not shown any more.
    var end: MediaTime
    let content: SubtitleCue.Content
}
