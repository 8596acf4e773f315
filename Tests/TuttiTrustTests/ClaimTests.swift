import Foundation
import Testing
import TuttiTrust

/// What a speaker keeps of whom it belongs to.
@Suite struct ClaimTests {
    @Test func aClaimIsKeptWholeOrNotAtAll() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let desk = try folder.membership("desk")
        let file = SpeakerClaimFile(directory: folder.path)
        #expect(try file.load() == nil)
        var claim = SpeakerClaim(householdKey: desk.householdKey, claimedBy: desk.node.id, claimedByName: "desk")
        let isNews = claim.take(desk.timeKeys.keys, nil)
        #expect(isNews && claim.household == desk.household)
        try file.save(claim)
        #expect(try file.load() == claim)
        // Half a file is no reason to belong to whoever comes next.
        let whole = try Data(contentsOf: URL(fileURLWithPath: file.path))
        try whole.prefix(40).write(to: URL(fileURLWithPath: file.path))
        #expect(throws: TrustError.self) { try file.load() }
        try file.remove()
        #expect(try file.load() == nil)
        // A disk that takes nothing.
        #expect(throws: TrustError.self) { try SpeakerClaimFile(directory: "/proc/nowhere").save(claim) }
    }

    @Test func aRevocationTakesTheOlderKeysAlong() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let (desk, other) = (try folder.membership("desk"), try folder.membership("other"))
        var claim = SpeakerClaim(householdKey: desk.householdKey, claimedBy: desk.node.id, claimedByName: "desk")
        _ = claim.take(desk.timeKeys.keys, nil)
        _ = try desk.revoke(String(repeating: "a", count: 32))
        // What another household signs changes nothing but the keys, which only its senders hand over.
        _ = try other.revoke(String(repeating: "b", count: 32))
        let isForeign = claim.take([], other.revocations)
        #expect(!isForeign)
        let isOurs = claim.take(desk.timeKeys.keys, desk.revocations)
        #expect(isOurs)
        #expect(claim.timeKeys.keys.map(\.epoch) == [2] && claim.revocations.serial == 1)
        // An older list does not come back.
        let isOld = claim.take([], Revocations())
        #expect(!isOld)
    }
}
