import TuttiCore
package import TuttiTrust
package import TuttiWire

extension SenderSession {
    /// Prepares for a connection that has been made.
    ///
    /// - Parameters:
    ///   - peer: the id of the speaker's key; nil where the connection is not secured.
    ///   - room: what the room is called, for its token.
    mutating func prepare(for peer: String?, as trust: Membership?, room: String) {
        peerID = peer
        proof = nil
        guard let peer, let trust, let token = trust.token(of: room) else { return }
        proof = token.proof(by: .sender, speaker: peer, sender: trust.node.id, household: trust.household)
    }
}

extension Membership {
    /// What members of the household are told.
    package var handover: TrustHandover {
        TrustHandover(
            keys: timeKeys.keys.map { TrustHandover.Key(epoch: $0.epoch, bytes: $0.bytes) },
            revocations: revocations.text)
    }

    /// Takes what a speaker of the household tells.
    ///
    /// - Returns: whether there is something new.
    package func take(_ handover: TrustHandover) -> Bool {
        take(
            handover.keys.map { TimeKey(epoch: $0.epoch, bytes: $0.bytes) },
            handover.revocations.flatMap { Revocations($0) })
    }

    /// Why the speaker that answers for a room is not trusted; nil when it is. One that is met for the first time is
    /// remembered.
    ///
    /// - Parameters:
    ///   - peer: the id of the key that it has shown.
    ///   - welcome: what it says.
    package func objection(to welcome: Welcome, from peer: String) -> String? {
        guard welcome.id == peer else { return "the speaker there says that it is another one than its key shows" }
        // A person may have accepted another speaker meanwhile, by `tutti pair`.
        if let pin = pin(of: welcome.name), pin != peer { refresh() }
        guard let pin = pin(of: welcome.name) else {
            if let token = token(of: welcome.name) {
                let proof = token.proof(by: .speaker, speaker: peer, sender: node.id, household: household)
                guard welcome.proof == proof else {
                    return "the speaker there does not know the token of this room; check it with `tutti-speaker token`"
                }
            }
            return nil
        }
        guard pin != peer else { return nil }
        return "another speaker answers for this room than before; if that is right, use `tutti pair \(welcome.name)`"
    }
}
