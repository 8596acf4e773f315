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

    @Test func aTokenIsMadeBeforeTheSpeakerHasEverRun() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let file = ClaimTokenFile(directory: folder.path + "/not/yet")
        #expect(try file.load(makes: false) == nil)
        let token = try #require(try file.load(makes: true))
        #expect(try file.load(makes: false) == token)
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

    @Test func aKeyThatAThiefPlantedBeforeItsRevocationCountsNowhere() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let desk = try folder.membership("desk")
        var claim = SpeakerClaim(householdKey: desk.householdKey, claimedBy: desk.node.id, claimedByName: "desk")
        _ = claim.take(desk.timeKeys.keys, nil)
        // A member that knows what is coming hands out keys of its own: of the next epoch, and of one far off.
        let planted = [2, 3, 200].map { TimeKey(epoch: $0, bytes: [UInt8](repeating: 9, count: TimeKey.size)) }
        let isNews = claim.take(planted, nil)
        #expect(!isNews && claim.timeKeys == desk.timeKeys)
        _ = try desk.revoke(String(repeating: "a", count: 32))
        // The list comes with the thief's key: there is no key then, until the household's own has come.
        let isTaken = claim.take(planted, desk.revocations)
        #expect(isTaken && claim.timeKeys.newest == nil)
        let isThere = claim.take(planted + desk.timeKeys.keys, desk.revocations)
        #expect(isThere && claim.timeKeys == desk.timeKeys && claim.timeKeys.newest?.epoch == 2)
        // A later epoch replaces nothing without a later list.
        let isLate = claim.take(planted, desk.revocations)
        #expect(!isLate && claim.timeKeys == desk.timeKeys)
        // The same holds for senders.
        let laptop = try folder.membership("laptop")
        let before = laptop.timeKeys
        let isNewsThere = laptop.take(planted, nil)
        #expect(!isNewsThere && laptop.timeKeys == before)
    }
}
