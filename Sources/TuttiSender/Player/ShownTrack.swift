/// What watchers were told last of the track that plays.
struct ShownTrack: Equatable {
    /// Its serial number.
    var serial: Int?
    /// The title that its station reports.
    var title: String?
}
