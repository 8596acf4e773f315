import Foundation
import Glibc
import Testing
import TuttiTrust

/// Keys on disks that are full or that spoil them.
@Suite(.serialized) struct DiskTests {
    /// Runs `body` with a folder on a disk of 64 kB of its own, which `fill` fills to the last byte.
    private static func withSmallDisk(_ body: (_ path: String, _ fill: () throws -> Void) throws -> Void) throws {
        let folder = try Folder()
        defer { folder.remove() }
        try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=64k,mode=0700") == 0, "\(errno)")
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        try body(folder.path) {
            let filler = try #require(fopen(folder.path + "/filler", "w"))
            while fwrite([UInt8](repeating: 0, count: 512), 1, 512, filler) == 512, fflush(filler) == 0 {}
            fclose(filler)
        }
    }

    private static func names(in folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder)).subtracting(["filler"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root mounts disks")) func aFullDiskClaimsNothingByHalves() throws {
        try Self.withSmallDisk { path, fill in
            let claim = SpeakerClaim(
                householdKey: [UInt8](repeating: 7, count: 91), claimedBy: "2a22", claimedByName: "desk")
            let file = SpeakerClaimFile(directory: path)
            try fill()
            let error = #expect(throws: TrustError.self) { try file.save(claim) }
            #expect(error?.description.contains("claim.json") == true, "\(String(describing: error))")
            #expect(try file.load() == nil && Self.names(in: path).isEmpty)
            // With room again, the claim is written; and it is kept when the next one does not fit.
            #expect(unlink(path + "/filler") == 0)
            try file.save(claim)
            try fill()
            var changed = claim
            changed.claimedByName = "laptop"
            #expect(throws: TrustError.self) { try file.save(changed) }
            #expect(try file.load() == claim && Self.names(in: path) == ["claim.json"])
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root mounts disks")) func aFullDiskHoldsNoHalfKey() throws {
        try Self.withSmallDisk { path, fill in
            try fill()
            let error = #expect(throws: TrustError.self) { try NodeKey.load(from: path) }
            #expect(error?.description.contains("node-key.pem") == true, "\(String(describing: error))")
            #expect(try !Self.names(in: path).contains("node-key.pem"))
            let household = #expect(throws: TrustError.self) {
                try MembershipFolder(stateDirectory: path).load(name: "desk")
            }
            #expect(household != nil)
            #expect(unlink(path + "/filler") == 0)
            let key = try NodeKey.load(from: path)
            #expect(try NodeKey.load(from: path).id == key.id)
        }
    }

    @Test func aSpeakersKeyThatIsHalfOrNoFileIsSaidAndKept() throws {
        let folder = try Folder()
        defer { folder.remove() }
        _ = try NodeKey.load(from: folder.path)
        let path = folder.path + "/node-key.pem"
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for count in [0, 1, whole.count / 2] {
            try whole.prefix(count).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: TrustError.self) { try NodeKey.load(from: folder.path) }
            guard case .damaged(path, _)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == count)
        }
        // What cannot be read at all: a folder, for root reads every file.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let error = #expect(throws: TrustError.self) { try NodeKey.load(from: folder.path) }
        let isNamed = if case .file(path, _)? = error { true } else { false }
        #expect(isNamed, "\(String(describing: error))")
    }
}
