package import TuttiHost
package import TuttiTrust
package import TuttiWire

/// Whom a speaker that is nobody's lets claim it.
package enum ClaimPolicy: String, Sendable, CaseIterable {
    /// Whoever comes first to play.
    case first
    /// Who knows its token.
    case token
    /// Nobody: it lets everybody in, also in the clear. For a laboratory, and for the time of an update.
    case open
}

/// What a speaker knows of whom it belongs to, and how it shows who it is.
package struct SpeakerTrust: Sendable {
    /// Who the speaker is.
    package let node: NodeKey
    private let policy: ClaimPolicy
    private let token: ClaimToken?
    private let file: SpeakerClaimFile
    private var claim: SpeakerClaim?
    /// What an open speaker was told, which it keeps while it runs.
    private var openKeys = TimeKeys()

    /// What is kept in `directory`; a key is made at first use.
    ///
    /// - Throws: `TrustError` when keys or claim cannot be read, or the key cannot be kept.
    package init(
        directory: String, policy: ClaimPolicy, files: any StateFiles = SystemFiles()
    ) throws(TrustError) {
        node = try NodeKey.load(from: directory)
        file = SpeakerClaimFile(directory: directory, files: files)
        claim = policy == .open ? nil : try file.load()
        token = try ClaimTokenFile(directory: directory).load(makes: policy == .token)
        self.policy = policy
    }

    /// Whom it lets in.
    package var admission: Admission {
        if policy == .open { return .open }
        guard let claim else { return .unclaimed(needsToken: policy == .token) }
        return .claimed(household: claim.household, revoked: Set(claim.revocations.nodes))
    }

    /// Whether it is somebody's.
    package var isClaimed: Bool { claim != nil }

    /// Whether the household has revoked this node.
    package func isRevoked(_ node: String) -> Bool { claim?.revocations.contains(node) ?? false }

    /// The household's id.
    package var household: String? { claim?.household }

    /// The sender that has claimed it for the household.
    package var claimant: Welcome.Claimant? {
        claim.map { Welcome.Claimant(id: $0.claimedBy, name: $0.claimedByName) }
    }

    /// What time is signed with; nil while anybody's counts.
    package var timeKeys: TimeKeys? { policy == .open ? (openKeys.newest == nil ? nil : openKeys) : claim?.timeKeys }

    /// Who has shown these certificates.
    package func identity(of credential: Credential) -> PeerIdentity {
        let household = credential.household
        let proof = household.flatMap { household in
            token?.proof(by: .sender, speaker: node.id, sender: credential.nodeID, household: household)
        }
        return PeerIdentity(
            nodeID: credential.nodeID, household: household, expectedProof: proof,
            isSelf: credential.nodeID == node.id)
    }

    /// What shows a sender that this is the speaker whose token it has been told; nil for one without a token.
    package func proof(to sender: PeerIdentity) -> String? {
        guard let household = sender.household else { return nil }
        return token?.proof(by: .speaker, speaker: node.id, sender: sender.nodeID, household: household)
    }

    /// Becomes the household's that has signed these certificates: on the disk first.
    ///
    /// - Throws: `TrustError` when that cannot be written; it is nobody's then, as before.
    package mutating func claim(for credential: Credential, name: String) throws(TrustError) {
        guard let key = credential.householdKey else { throw .refused("the sender has no household") }
        let claim = SpeakerClaim(householdKey: key, claimedBy: credential.nodeID, claimedByName: name)
        try file.save(claim)
        self.claim = claim
    }

    /// Sees whether somebody has made the speaker nobody's.
    ///
    /// - Returns: whether that is so since the last time.
    package mutating func noticeReset() -> Bool {
        guard claim != nil, !file.isThere else { return false }
        claim = nil
        return true
    }

    /// Takes what a member of the household hands over.
    ///
    /// - Returns: whether there is something new.
    /// - Throws: `TrustError` when it cannot be written; it holds while the speaker runs all the same.
    package mutating func take(_ handover: TrustHandover) throws(TrustError) -> Bool {
        let keys = handover.keys.map { TimeKey(epoch: $0.epoch, bytes: $0.bytes) }
        guard policy != .open else {
            let before = openKeys
            for key in keys { openKeys.add(key) }
            return openKeys != before
        }
        guard var claim, claim.take(keys, handover.revocations.flatMap { Revocations($0) }) else { return false }
        self.claim = claim
        try file.save(claim)
        return true
    }

    /// What members of the household are told; nil for a speaker that is nobody's.
    package var handover: TrustHandover? {
        guard let claim else { return nil }
        let handover = TrustHandover(
            keys: claim.timeKeys.keys.map { TrustHandover.Key(epoch: $0.epoch, bytes: $0.bytes) },
            revocations: claim.revocations.text)
        return handover.keys.isEmpty && handover.revocations == nil ? nil : handover
    }
}
