/// What can still be read of a store that is damaged.
extension HouseStore {
    /// The tables, with what their rows are in order of.
    static let salvaged = [
        ("identity", "only"), ("room", "name"), ("roomGroup", "name"), ("player", "id"), ("entry", "player, id"),
        ("schedule", "id"), ("fade", "room"), ("alarmLevel", "room"), ("loudness", "path, begin, finish"),
        ("station", "name"), ("playlist", "name"),
    ].map { (name: $0, order: $1) }
}
