import TuttiAssets

/// What watchers were told last of the track that plays.
struct ShownTrack: Equatable {
    /// Its serial number.
    var serial: Int?
    /// What its station or live source says that it plays.
    var tags: StreamTags?
}
