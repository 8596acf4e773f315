import TuttiRooms
import TuttiTrust

/// Who is of the household no longer, as rooms are told of it.
extension House {
    /// Sees every second whether somebody was revoked, and tells the rooms, those that come back above all.
    func keepTrust() {
        guard let trust = configuration.identity.trust else { return }
        trustKeeper = Task { [weak self, network = configuration.network] in
            var news = RevocationNews(network: network)
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                trust.refresh()
                let serial = trust.revocations.serial
                guard let rooms = await self?.placedRooms else { return }
                await news.tell(rooms, serial: serial)
            }
        }
    }
}
