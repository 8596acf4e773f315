/// What watchers were told last of the track that plays.
struct ShownTrack: Equatable {
    /// Its serial number.
    var serial: Int?
    /// What its station says that it plays.
    var title: String?
}
