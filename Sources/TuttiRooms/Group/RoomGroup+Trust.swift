package import NIOCore
import TuttiTiming
package import TuttiTrust
import TuttiWire

/// The household, as the group's rooms are told of it.
extension RoomGroup {
    package var trust: Membership? { configuration.identity.trust }

    /// Where rooms are, by their names.
    package func findRooms(_ names: Set<String>) -> EventLoopFuture<RoomResolver.Findings> {
        host.findRooms(names, trust, loop)
    }

    /// Signs the group's time from now on.
    func signTime() {
        if let trust { clock.sign(with: trust.timeKeys) }
    }

    /// Why the speaker that answers is not trusted; nil when it is, and then it is told what members know.
    func distrust(of welcome: Welcome, in room: Room) -> String? {
        guard let trust, let peer = room.session.peerID else { return nil }
        if let reason = trust.objection(to: welcome, from: peer) { return reason }
        trust.setPin(peer, of: welcome.name, at: room.address.endpoint)
        carryOut(room.session.send(.trust(trust.handover), now: now), in: room)
        return nil
    }

    /// A speaker tells what members know: what is new here is told the others.
    func take(_ handover: TrustHandover) {
        if let trust, trust.take(handover) { tellTrust() }
    }

    /// Sees whether another process has revoked somebody, or let somebody in.
    ///
    /// - Parameter told: what rooms were told last.
    /// - Returns: what they are told now.
    func reviewTrust(told: TrustHandover?) -> TrustHandover? {
        guard let trust else { return nil }
        trust.refresh()
        let handover = trust.handover
        if handover != told { tellTrust() }
        return handover
    }

    private func tellTrust() {
        guard let trust else { return }
        signTime()
        let message = ControlMessage.trust(trust.handover)
        for room in rooms where room.isUp {
            carryOut(room.session.send(message, now: now), in: room)
        }
    }
}
