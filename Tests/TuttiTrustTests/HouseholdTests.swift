import Foundation
import Testing
import TuttiTrust

/// A folder that is gone with the test.
struct Folder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("trust-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    func membership(_ name: String) throws -> Membership {
        try MembershipFolder(stateDirectory: "\(path)/\(name)").load(name: name)
    }
}

/// Households, their senders, and the files that they are kept in.
@Suite struct HouseholdTests {
    @Test func aSenderIsTheSameAtItsNextStart() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let (first, second) = (try folder.membership("desk"), try folder.membership("desk"))
        #expect(first.node.id == second.node.id && first.household == second.household)
        #expect(first.timeKeys == second.timeKeys && first.timeKeys.newest?.epoch == 1)
        #expect(first.canSign)
        let other = try folder.membership("laptop")
        #expect(other.household != first.household && other.node.id != first.node.id)
    }

    @Test func filesOfKeysAreTheirOwnersAlone() throws {
        let folder = try Folder()
        defer { folder.remove() }
        _ = try folder.membership("desk")
        let trust = folder.path + "/desk/trust"
        let names = try FileManager.default.contentsOfDirectory(atPath: trust)
        #expect(names.count == 4)
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(trust)/\(name)")
            #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(name)")
        }
    }

    @Test(arguments: ["node-key.pem", "household.pem", "household.json"])
    func aDamagedFileIsSaidAndNotReplaced(_ name: String) throws {
        let folder = try Folder()
        defer { folder.remove() }
        _ = try folder.membership("desk")
        let path = "\(folder.path)/desk/trust/\(name)"
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let half = whole.prefix(whole.count / 2)
        try half.write(to: URL(fileURLWithPath: path))
        #expect(throws: TrustError.self) { try folder.membership("desk") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == half)
    }

    @Test func theChainSaysWhoASenderIsAndOfWhichHousehold() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let (desk, other) = (try folder.membership("desk"), try folder.membership("other"))
        let credential = try #require(Credential(chain: desk.chain))
        #expect(credential.nodeID == desk.node.id && credential.household == desk.household)
        // A leaf under the certificate of a household that has not signed it is worth nothing.
        #expect(Credential(chain: [desk.chain[0], other.chain[1]]) == nil)
        #expect(Credential(chain: [desk.chain[0]])?.household == nil)
        #expect(Credential(chain: []) == nil)
        #expect(Credential(chain: [[UInt8](repeating: 0x30, count: 5_000)]) == nil)
    }

    @Test func aRevokedSenderIsOnTheListAndTimeHasANewKey() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let (desk, other) = (try folder.membership("desk"), try folder.membership("other"))
        #expect(throws: TrustError.self) { try desk.revoke("nobody") }
        #expect(throws: TrustError.self) { try desk.revoke(desk.node.id) }
        let id = try desk.revoke(other.node.id)
        #expect(desk.revocations.contains(id) && desk.revocations.serial == 1)
        #expect(desk.timeKeys.keys.map(\.epoch) == [2])
        // It goes over the wire, and another household's list is worth nothing.
        let list = try #require(desk.revocations.text.flatMap { Revocations($0) })
        #expect(list.isSigned(by: desk.householdKey) && !list.isSigned(by: other.householdKey))
        let changed = try #require(
            desk.revocations.text.flatMap { Revocations($0.replacingOccurrences(of: id, with: desk.node.id)) })
        #expect(!changed.isSigned(by: desk.householdKey))
        // Another process of the sender learns it.
        let again = try folder.membership("desk")
        #expect(again.revocations == desk.revocations && again.timeKeys == desk.timeKeys)
    }

    @Test func twoProcessesOfASenderSpoilNothingOfOneAnother() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let (service, command) = (try folder.membership("desk"), try folder.membership("desk"))
        _ = try command.revoke(String(repeating: "a", count: 32))
        service.setPin("speaker", of: "Kitchen")
        #expect(service.revocations.serial == 1 && service.pin(of: "kitchen") == "speaker")
        command.refresh()
        #expect(command.pin(of: "kitchen") == "speaker")
    }

    @Test func aHouseholdGoesIntoAFileAndOut() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let desk = try folder.membership("desk")
        let file = try MembershipFolder(stateDirectory: folder.path + "/desk").export(
            passphrase: "correct horse", name: "desk")
        let target = MembershipFolder(stateDirectory: folder.path + "/laptop")
        #expect(throws: TrustError.self) { try target.restore(file, passphrase: "wrong horse", name: "laptop") }
        var changed = file
        changed[file.count / 2] ^= 1
        #expect(throws: TrustError.self) { try target.restore(changed, passphrase: "correct horse", name: "laptop") }
        let laptop = try target.restore(file, passphrase: "correct horse", name: "laptop")
        #expect(laptop.household == desk.household && laptop.node.id != desk.node.id && laptop.canSign)
        #expect(Credential(chain: laptop.chain)?.household == desk.household)
        #expect(throws: TrustError.self) {
            try MembershipFolder(stateDirectory: folder.path + "/desk").export(passphrase: "short", name: "desk")
        }
    }

    @Test func whoIsInvitedJoinsOnce() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let desk = try folder.membership("desk")
        let host = try InvitationHost(desk, host: "127.0.0.1")
        let invitation = try Invitation(parsing: host.invitation.text)
        #expect(invitation == host.invitation)
        let wrong = try Invitation(parsing: "\(ClaimToken().text)@127.0.0.1:\(invitation.port)")
        let target = MembershipFolder(stateDirectory: folder.path + "/laptop")
        let refusal = await Task.detached { try? target.join(wrong, name: "laptop") }.value
        #expect(refusal == nil)
        let joined = try await Task.detached { try target.join(invitation, name: "laptop") }.value
        #expect(try await host.wait() == "laptop")
        #expect(joined.household == desk.household && !joined.canSign && joined.timeKeys == desk.timeKeys)
        #expect(desk.senders.map(\.name) == ["laptop"])
        let late = MembershipFolder(stateDirectory: folder.path + "/late")
        let second = await Task.detached { try? late.join(invitation, name: "late") }.value
        #expect(second == nil)
        #expect(throws: TrustError.noSigningKey) { try joined.revoke(desk.node.id) }
    }

    @Test func aTokenIsReadAsItIsTyped() throws {
        let token = ClaimToken()
        #expect(ClaimToken(token.text) == token)
        #expect(ClaimToken(token.text.lowercased().replacingOccurrences(of: "-", with: " ")) == token)
        #expect(ClaimToken(String(token.text.dropLast())) == nil)
        #expect(ClaimToken("U" + token.text.dropFirst()) == nil)
        #expect(ClaimToken("") == nil && ClaimToken(String(repeating: "0", count: 500)) == nil)
        let proofs = [
            token.proof(by: .sender, speaker: "a", sender: "b", household: "c"),
            token.proof(by: .speaker, speaker: "a", sender: "b", household: "c"),
            token.proof(by: .sender, speaker: "x", sender: "b", household: "c"),
        ]
        #expect(Set(proofs).count == 3)
    }
}
