package import TuttiRooms
import TuttiSender

/// Tells rooms whom the household has revoked: each look at a room hands over the list. Rooms that were away hear of it
/// within about a second of their return.
package struct RevocationNews: Sendable {
    private let network: RoomNetwork
    /// The list that is told.
    private var serial: UInt64 = 0
    /// Who needs to hear of it no more.
    private var told: Set<RoomAddress> = []

    /// Rooms that are told together.
    private static let looksAtOnce = 8

    /// - Parameter network: where the rooms are.
    package init(network: RoomNetwork) { self.network = network }

    /// Looks at the rooms that have not answered since the list became what it is. A room that refuses, or is another
    /// one now, is not asked again.
    ///
    /// - Parameters:
    ///   - rooms: those whose hosts are known.
    ///   - serial: the list's number; 0: nobody was ever revoked.
    package mutating func tell(_ rooms: @autoclosure () -> [RoomAddress], serial: UInt64) async {
        if serial != self.serial { (self.serial, told) = (serial, []) }
        guard serial > 0 else { return }
        let untold = rooms().filter { !told.contains($0) }
        let answers = await untold.mapTogether(atOnce: Self.looksAtOnce) { [network] room in
            switch await network.look(room) {
            case .failure(.roomUnreachable), .failure(.roomSlow): false
            case .success, .failure: true
            }
        }
        for (room, hasAnswered) in zip(untold, answers) where hasAnswered { told.insert(room) }
    }
}
