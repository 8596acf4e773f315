import FoundationEssentials
import Glibc
package import TuttiHost

/// To which household a speaker belongs, and what that has told it. All of it is in one file, so it is claimed whole or
/// not at all.
package struct SpeakerClaim: Sendable, Equatable, Codable, HouseholdRecord {
    /// The household's key (SubjectPublicKeyInfo, DER).
    package var householdKey: [UInt8]
    /// The id of the sender that has claimed the speaker, and its name, for people.
    package var claimedBy: String
    package var claimedByName: String
    /// The keys of the household's time.
    package var timeKeys = TimeKeys()
    /// Who is let in no longer.
    package var revocations = Revocations()

    package init(householdKey: [UInt8], claimedBy: String, claimedByName: String) {
        self.householdKey = householdKey
        self.claimedBy = claimedBy
        self.claimedByName = claimedByName
    }

    /// The household's id.
    package var household: String { Fingerprint.of(derRepresentation: householdKey) }

    /// Takes what a sender of the household hands over; a list of revocations that is not newer, or not the
    /// household's, is left.
    ///
    /// - Returns: whether anything has changed.
    package mutating func take(_ keys: [TimeKey], _ list: Revocations?) -> Bool {
        let before = self
        take(keys, list, householdKey: householdKey)
        return self != before
    }
}

/// The file of a speaker's claim.
package struct SpeakerClaimFile: Sendable {
    package let path: String
    private let files: any StateFiles

    package init(directory: String, files: any StateFiles = SystemFiles()) {
        path = directory + "/claim.json"
        self.files = files
    }

    /// The claim; nil for a speaker that is nobody's.
    ///
    /// - Throws: `TrustError.damaged` for a file that cannot be understood: the speaker is not free for that.
    package func load() throws(TrustError) -> SpeakerClaim? {
        do {
            guard let bytes = try files.read(path) else { return nil }
            guard let claim = try? JSONDecoder().decode(SpeakerClaim.self, from: Data(bytes)),
                claim.householdKey.count <= 256
            else { throw TrustError.damaged(path: path, remedy: "`tutti-speaker reset` makes the speaker nobody's") }
            return claim
        } catch let error as TrustError {
            throw error
        } catch {
            throw .file(path: path, reason: String(describing: error))
        }
    }

    /// Whether there is a claim on the disk: whoever removes it makes the speaker nobody's.
    package var isThere: Bool { access(path, F_OK) == 0 || errno != ENOENT }

    /// Makes the speaker nobody's.
    package func remove() throws(TrustError) {
        do {
            try AtomicFile.remove(path)
        } catch {
            throw .file(path: path, reason: error.description)
        }
    }

    /// Writes the claim; the old one holds when that fails.
    package func save(_ claim: SpeakerClaim) throws(TrustError) {
        do {
            try files.write([UInt8](JSONEncoder().encode(claim)), to: path)
        } catch {
            throw .file(path: path, reason: String(describing: error))
        }
    }
}

/// The file of a speaker's token.
package struct ClaimTokenFile: Sendable {
    private let directory: String
    private var path: String { directory + "/claim-token" }

    package init(directory: String) { self.directory = directory }

    /// The token; nil where there is none and none is to be made. The folder is made with it.
    ///
    /// - Throws: `TrustError.file`, `.damaged`.
    package func load(makes: Bool) throws(TrustError) -> ClaimToken? {
        do {
            if let bytes = try AtomicFile.read(path) {
                let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
                guard let token = ClaimToken(text) else {
                    throw TrustError.damaged(path: path, remedy: "remove it: the speaker makes another one")
                }
                return token
            }
            guard makes else { return nil }
            let token = ClaimToken()
            try StatePaths.prepare(directory)
            try AtomicFile.write(Array((token.text + "\n").utf8), to: path)
            return token
        } catch let error as TrustError {
            throw error
        } catch {
            throw .file(path: path, reason: String(describing: error))
        }
    }
}
