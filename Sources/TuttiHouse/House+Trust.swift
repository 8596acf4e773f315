import TuttiRooms
import TuttiTrust

/// Who is of the household no longer, as rooms are told of it.
extension House {
    /// Sees every second whether somebody was revoked, and tells all speakers that were ever met, those that come back
    /// above all.
    func keepTrust() {
        guard let trust = configuration.identity.trust else { return }
        trustKeeper = Task { [network = configuration.network] in
            var news = RevocationNews(network: network)
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                trust.refresh()
                await news.tell(trust.placesMet, serial: trust.revocations.serial)
            }
        }
    }
}

extension Membership {
    /// Where speakers were met last.
    fileprivate var placesMet: [RoomAddress] {
        pins.compactMap { try? RoomAddress(parsing: "\($0.key)@\($0.value.place)") }
    }
}
