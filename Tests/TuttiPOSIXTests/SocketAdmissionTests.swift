import Foundation
import Testing
import TuttiPOSIX

@Suite("Whom a socket lets in")
struct SocketAdmissionTests {
    private func admits(_ admission: SocketAdmission, user: UInt32, group: UInt32, others: [UInt32] = []) -> Bool {
        let groups = SocketAdmission.Groups { $0 < others.count ? others[$0] : 0 }
        return admission.admits([1, user, group], groups)
    }

    @Test("its owner and root, and nobody else")
    func owner() {
        let own = SocketAdmission(owner: 1000, group: nil)
        #expect(own.mode == 0o600)
        #expect(admits(own, user: 1000, group: 1000) && admits(own, user: 0, group: 0))
        #expect(!admits(own, user: 1001, group: 1000, others: [1000]))
    }

    @Test("members of the group, whether it is their first or another one")
    func group() {
        let service = SocketAdmission(owner: 990, group: 985)
        #expect(service.mode == 0o660)
        #expect(admits(service, user: 1001, group: 985) && admits(service, user: 1001, group: 1001, others: [27, 985]))
        #expect(!admits(service, user: 1001, group: 1001, others: [27, 100]))
        // Zero stands for no group.
        #expect(!admits(SocketAdmission(owner: 990, group: 0), user: 1001, group: 1001))
    }

    @Test("the folder says whether there is a group", arguments: [0o700, 0o750, 0o755])
    func folder(mode: Int) throws {
        let folder = NSTemporaryDirectory() + "tutti-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if geteuid() == 0 { try #require(chown(folder, 990, 985) == 0) }
        let status = try FileManager.default.attributesOfItem(atPath: folder)
        let group = try #require(status[.groupOwnerAccountID] as? NSNumber).uint32Value
        let expected = SocketAdmission(owner: geteuid(), group: mode == 0o700 ? nil : group)
        #expect(SocketAdmission(folder: folder) == expected)
    }
}
