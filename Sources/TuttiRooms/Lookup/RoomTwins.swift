/// Speakers at different addresses that show one key: somebody has copied a state folder.
package struct RoomTwins: Sendable, Equatable {
    /// The rooms, by name; two at least.
    package var rooms: [FoundRoom]

    /// Those among rooms that were seen at one time. A speaker with several addresses is one room.
    package static func among(_ rooms: [FoundRoom]) -> [RoomTwins] {
        let byID = Dictionary(grouping: rooms.filter { !$0.id.isEmpty }, by: \.id)
        return byID.values.compactMap { same in
            var places: Set<String> = []
            let apart = same.filter { places.insert($0.room.endpoint).inserted }
            return apart.count > 1 ? RoomTwins(rooms: apart.sorted { $0.room.name < $1.room.name }) : nil
        }.sorted { $0.message < $1.message }
    }

    /// Which they are, for people.
    package var message: String {
        let places = rooms.map { "\($0.room.name) (\($0.room.endpoint))" }.joined(separator: " and ")
        return "\(places) have the same key: one has a copy of the other's state folder"
    }

    /// What to do about it.
    package static let advice =
        "remove node-key.pem and claim.json from the copy's state folder, and restart that speaker"
}
