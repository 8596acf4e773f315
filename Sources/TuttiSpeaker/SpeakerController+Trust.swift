import Logging
import TuttiHost
import TuttiRendering
import TuttiTiming
package import TuttiTrust
package import TuttiWire

/// Whom the speaker belongs to, and what it is told by members of its household.
extension SpeakerController {
    /// Takes its place in the household that it belongs to.
    func beginTrust() {
        guard let trust else { return }
        perform(session.admit(trust.admission))
        signTime()
    }

    /// The handshake of a connection is done.
    package func identified(_ connection: ConnectionID, _ credential: Credential) {
        guard let trust else { return }
        connections.setCredential(credential, of: connection)
        session.identified(connection, as: trust.identity(of: credential))
    }

    /// A sender claims the speaker for its household.
    ///
    /// - Returns: whether it is that household's now.
    func claim(for connection: ConnectionID, name: String) -> Bool {
        guard let credential = connections.credential(of: connection), trust != nil else { return false }
        do {
            try trust?.claim(for: credential, name: name)
        } catch {
            logger.error("cannot be claimed", metadata: ["sender": "\(name)", "reason": "\(error)"])
            return false
        }
        logger.notice(
            "claimed; from now on only this household's senders get in",
            metadata: ["sender": "\(name)", "household": "\(trust?.household ?? "")"])
        if let trust { perform(session.admit(trust.admission)) }
        signTime()
        onClaim?(true)
        return true
    }

    /// A member of the household hands over what trust rests on.
    func take(_ handover: TrustHandover) {
        do {
            guard try trust?.take(handover) == true else { return }
        } catch {
            logger.error("what the household tells is lost at the next start", metadata: ["reason": "\(error)"])
        }
        signTime()
        guard let trust else { return }
        let before = occupied
        perform(session.admit(trust.admission))
        // Whoever is sent away is not heard from the buffer either, unlike a sender that is merely lost.
        for slot in before where !occupied.contains(slot) { streams[slot].clear() }
        // Nor is one that was lost before: its stream would play on until the buffer is empty.
        if let node = streams.ownersNode, trust.isRevoked(node) { senderLeft("of the household no longer") }
    }

    /// Sees whether the speaker was made nobody's meanwhile: whoever is here goes.
    func noticeReset() {
        guard trust?.noticeReset() == true, let trust else { return }
        logger.notice("reset; the next household that plays here claims the speaker")
        for slot in occupied {
            let code = ControlMessage.FailureCode.household
            perform(session.dismiss(slot, code: code, message: "the speaker was reset"))
        }
        for stream in streams.all { stream.clear() }
        perform(session.admit(trust.admission))
        // What is signed with the keys of before counts no longer.
        groupClock.use(nil)
        announcePart()
        onClaim?(false)
    }

    private func signTime() {
        guard let keys = trust?.timeKeys else { return }
        groupClock.sign(with: keys)
        announcePart()
    }

    /// Tells the sender what members know, and shows it that this is the speaker whose token it has.
    func present(_ welcome: inout Welcome, to sender: PeerIdentity?) {
        guard let trust, let sender else { return }
        welcome.household = trust.household
        welcome.claimant = trust.claimant
        welcome.proof = trust.proof(to: sender)
    }

    /// Somebody was not let in. Whoever tries again and again is not written down each time.
    func knocked(_ connection: ConnectionID, name: String, reason: String) {
        guard connections.isKnockNews(now: clock.now()) else { return }
        logger.notice(
            "not let in",
            metadata: ["sender": "\(name)", "peer": "\(connections.peer(of: connection))", "reason": "\(reason)"])
    }
}
