package import TuttiHost
package import TuttiRooms
package import TuttiTrust

extension RoomBook {
    /// Whom the speakers of rooms belong to, in the rooms' order.
    ///
    /// - Parameter trust: the household of whoever asks; nil to ask in the clear.
    package static func owners(of rooms: [FoundRoom], as trust: Membership?, clock: HostClock) async -> [RoomClaim] {
        await rooms.mapTogether(atOnce: looksAtOnce) { room in
            let found = await RoomNetwork.aside { RoomClaim(of: room, as: trust, clock: clock) }
            return found.get()
        }
    }
}
