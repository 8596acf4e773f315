import TuttiAssets
import TuttiCore
package import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// Commands that take rooms decide first, once and in one place, and touch nothing until they have.
extension House {
    /// The rooms that are known, and the network.
    var book: RoomBook { RoomBook(known: Array(known.values), network: configuration.network) }

    /// Finds out whether an order can be carried out.
    ///
    /// - Parameter any: whether one room is enough; nil for what the order says.
    /// - Throws: what is wrong with it.
    func plan(_ order: PlayOrder, any: Bool? = nil) async throws(SenderError) -> Takeover {
        try order.check()
        return try await plan(try named(order).assets(), in: try rooms(of: order), any: any ?? order.any ?? false)
    }

    /// An order with what its inputs are called by as it is kept now: a schedule follows a station that has moved.
    func named(_ order: PlayOrder) throws(SenderError) -> PlayOrder {
        var order = order
        let names = NamedInputs(store: store, library: library, live: configuration.inputs)
        order.inputs = try names.resolve(order.inputs)
        return order
    }

    /// The same for tracks and rooms.
    func plan(_ assets: [AssetInput], in rooms: [RoomAddress], any: Bool) async throws(SenderError) -> Takeover {
        var connected: [RoomStatus] = []
        for group in playing.values { connected += await group.player.status().rooms.filter { $0.volume != nil } }
        var plan = try await Takeover.plan(assets, in: rooms, any: any, book: book) { [connected] room in
            let status = connected.first { room.isMeant(by: $0.name, $0.address) }
            return status.flatMap { try? RoomAddress(parsing: "\($0.name)@\($0.address)") }
        }
        remember(plan.places.map { RoomStatus($0.address, $0.look) })
        var seen: Set<RoomAddress> = []
        plan.rooms = plan.rooms.filter { seen.insert($0).inserted }
        return plan
    }

    /// The rooms of an order: those of its groups as they are now, and those that it names.
    func rooms(of order: PlayOrder) throws(SenderError) -> [RoomAddress] {
        let groups = order.groups.isEmpty ? [:] : try store.groups()
        var rooms: [RoomAddress] = []
        for name in order.groups { rooms += try Self.members(of: name, in: groups) }
        rooms += try order.addresses()
        var seen: Set<RoomAddress> = []
        rooms = rooms.filter { seen.insert($0).inserted }
        guard !rooms.isEmpty else { throw .badOption("no room to play in: name a room or a group") }
        return rooms
    }

    private static func members(
        of name: String, in groups: [String: [RoomAddress]]
    ) throws(SenderError) -> [RoomAddress] {
        guard let group = groups.first(where: { Names.areSame($0.key, name) }) else {
            throw .unknownGroup(name, among: groups.keys)
        }
        guard !group.value.isEmpty else { throw .notNow("\(group.key): this group has no rooms") }
        return group.value
    }

    /// A group's name as it is stored, or as it is given.
    func spelled(_ name: String) -> String {
        (try? store.groups())?.keys.first { Names.areSame($0, name) } ?? name
    }
}

extension SenderError {
    /// Nobody has made a group of this name; suggests the one that was probably meant.
    package static func unknownGroup(_ name: String, among groups: some Sequence<String>) -> SenderError {
        guard let meant = Names.nearest(to: name, in: groups) else { return .noSuchGroup(name) }
        return .refused("\(name): no such group; did you mean '\(meant)'?", exitCode: 3)
    }
}
