import Crypto
import FoundationEssentials
import TuttiCore

/// What lets one more sender into a household: a secret of 128 bits that a person carries from one host to the other,
/// with the place where the inviting sender waits. It holds once, and for minutes.
package struct Invitation: Sendable, Equatable {
    /// The secret.
    let secret: ClaimToken
    /// Where the inviting sender waits.
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        (secret, self.host, self.port) = (ClaimToken(), host, port)
    }

    /// An invitation as a person has typed it: `SECRET@HOST:PORT`.
    ///
    /// - Throws: `TrustError.refused` for any other text.
    package init(parsing text: String) throws(TrustError) {
        let usage = TrustError.refused("\(text): an invitation is what `tutti household invite` prints, CODE@HOST:PORT")
        guard let at = text.firstIndex(of: "@"), let colon = text.lastIndex(of: ":"), at < colon,
            let secret = ClaimToken(String(text[..<at])), let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { throw usage }
        let host = text[text.index(after: at)..<colon].filter { $0 != "[" && $0 != "]" }
        guard (1...255).contains(host.utf8.count) else { throw usage }
        (self.secret, self.host, self.port) = (secret, String(host), port)
    }

    /// As `init(parsing:)` reads it.
    package var text: String { "\(secret.text)@\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Seconds for which it holds, and wrong answers after which it holds no longer.
    package static let (lifetime, attempts) = (600, 3)
    /// Connections that may be open at once, each for ten seconds.
    static let connections = 8
}

/// What a sender says that wants to join: it has shown its key by the handshake.
struct JoinRequest: Codable {
    /// Its public key (SubjectPublicKeyInfo, DER).
    var key: [UInt8]
    /// What it is called, for people.
    var name: String
    /// What shows that it knows the invitation.
    var proof: String

    /// The name, fit to be shown.
    var shownName: String { String(PeerText.shown(name).prefix(64)) }
}

/// What it is answered.
struct JoinAnswer: Codable {
    /// Why not; nil when it is let in.
    var refusal: String?
    /// What shows that this is who has invited.
    var proof = ""
    /// The certificates (DER), that of the sender first.
    var chain: [[UInt8]] = []
    var timeKeys = TimeKeys()
    var revocations = Revocations()
}

/// Lines of JSON, as both sides speak them.
enum JoinLines {
    /// Bytes of a line.
    static let limit = 64 * 1024

    static func encode(_ value: some Encodable) -> [UInt8] {
        ((try? JSONEncoder().encode(value)).map { [UInt8]($0) } ?? []) + [UInt8(ascii: "\n")]
    }

    /// The value of the first whole line; nil while there is none.
    ///
    /// - Throws: `TrustError.refused` for a line that is no such value, or is too long.
    static func decode<Value: Decodable>(_ bytes: [UInt8], as type: Value.Type) throws(TrustError) -> Value? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            if bytes.count > limit { throw .refused("the other side says too much") }
            return nil
        }
        guard end <= limit, let value = try? JSONDecoder().decode(type, from: Data(bytes[..<end])) else {
            throw .refused("the other side says what is no part of an invitation")
        }
        return value
    }
}

extension Membership {
    /// Answers one that wants to join.
    ///
    /// - Parameter peer: the id of its key, as the handshake has shown.
    func answer(_ request: JoinRequest, from peer: String, to invitation: Invitation) -> JoinAnswer {
        let expected = invitation.secret.proof(by: .sender, speaker: node.id, sender: peer, household: "join")
        guard request.proof == expected, Fingerprint.of(derRepresentation: Data(request.key)) == peer else {
            return JoinAnswer(refusal: "the code is wrong")
        }
        do {
            let chain = try admit(request.key, name: request.shownName)
            let proof = invitation.secret.proof(by: .speaker, speaker: node.id, sender: peer, household: "join")
            return JoinAnswer(proof: proof, chain: chain, timeKeys: timeKeys, revocations: revocations)
        } catch {
            return JoinAnswer(refusal: error.description)
        }
    }
}
