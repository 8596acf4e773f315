/// Who is at the other end of a secured connection, as the handshake has shown.
package struct PeerIdentity: Sendable, Equatable {
    /// The fingerprint of its key.
    package var nodeID: String
    /// The fingerprint of the key of its household; nil for a node that has none.
    package var household: String?
    /// What it has to say to show that it knows this speaker's token; nil where that makes no difference.
    package var expectedProof: String?
    /// Whether it is this speaker itself, which looks at how it does.
    package var isSelf = false

    package init(nodeID: String, household: String?, expectedProof: String? = nil, isSelf: Bool = false) {
        self.nodeID = nodeID
        self.household = household
        self.expectedProof = expectedProof
        self.isSelf = isSelf
    }
}

/// Whom a speaker lets in.
package enum Admission: Sendable, Equatable {
    /// Whoever comes, also without a secured connection.
    case open
    /// It is nobody's: whoever comes to play, and has a household, makes it that household's; where `needsToken`, only
    /// who knows its token.
    case unclaimed(needsToken: Bool)
    /// Members of this household but those that were revoked.
    case claimed(household: String, revoked: Set<String>)

    /// What becomes of somebody's hello.
    enum Decision: Equatable {
        case admitted
        /// It is let in, and from now on nobody but its household.
        case claims
        case refused(code: String, message: String)
    }

    /// - Parameter peer: who says it; nil on a connection that is not secured.
    func decision(on hello: Hello, of peer: PeerIdentity?) -> Decision {
        typealias Code = ControlMessage.FailureCode
        guard let peer else {
            return self == .open
                ? .admitted : .refused(code: Code.version, message: "this speaker takes secured connections only")
        }
        switch self {
        case .open: return .admitted
        case .unclaimed(let needsToken):
            // Nothing is heard, and nothing learnt, of a speaker that is nobody's.
            guard hello.role == .control else { return .admitted }
            guard peer.household != nil else {
                return .refused(code: Code.household, message: "the sender has no household")
            }
            if needsToken, peer.expectedProof == nil || hello.proof != peer.expectedProof {
                let message = "the speaker wants its token first: `tutti-speaker token` shows it there"
                return .refused(code: Code.token, message: message)
            }
            return .claims
        case .claimed(let household, let revoked):
            if peer.isSelf { return .admitted }
            guard peer.household == household else {
                let message = "it belongs to another household; `tutti-speaker reset` there makes it nobody's"
                return .refused(code: Code.household, message: message)
            }
            guard !revoked.contains(peer.nodeID) else {
                return .refused(code: Code.household, message: "this sender was revoked by the household")
            }
            return .admitted
        }
    }
}

/// What members of a household tell one another on a secured connection.
package struct TrustHandover: Sendable, Equatable {
    /// A key that the time is signed with.
    package struct Key: Sendable, Equatable {
        /// Which; the greatest is the newest.
        package var epoch: UInt32
        /// The key.
        package var bytes: [UInt8]

        package init(epoch: UInt32, bytes: [UInt8]) {
            self.epoch = epoch
            self.bytes = bytes
        }
    }

    /// The keys that are held, the newest first.
    package var keys: [Key]
    /// Who was revoked, as the household has signed it; nil when nobody ever was.
    package var revocations: String?

    package init(keys: [Key], revocations: String? = nil) {
        self.keys = keys
        self.revocations = revocations
    }
}
