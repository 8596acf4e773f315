import Foundation
import Testing
import TuttiHost
import TuttiRooms
import TuttiSpeaker
import TuttiTrust
import TuttiWire

/// Who gets in at a real speaker, over real connections.
@Suite struct DoorTests {
    /// A speaker, and senders of different households that knock.
    private static func withDoor(
        _ claim: ClaimPolicy = .first, _ body: (SpeakerService, SpeakerConfiguration, Knocker) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("door-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withSpeaker({ $0.claim = claim }) { service, configuration in
            try await body(service, configuration, Knocker(folder: folder, port: service.port))
        }
    }

    /// Knocks at the speaker as one sender or another.
    struct Knocker: Sendable {
        let folder: String
        let port: UInt16

        func membership(_ name: String) throws -> Membership {
            try MembershipFolder(stateDirectory: "\(folder)/\(name)").load(name: name)
        }

        /// Takes a seat and leaves it; nil where it is let in, else why not and the exit status.
        func visit(_ trust: Membership?) async -> SenderError? {
            let address = RoomAddress(name: "kitchen", host: "127.0.0.1", port: port)
            let identity = SenderIdentity(id: "desk", name: "desk", trust: trust)
            return await Task.detached { () -> SenderError? in
                do throws(SenderError) {
                    try RoomVisit(address, identity: identity, clock: HostClock()).leave()
                    return nil
                } catch {
                    return error
                }
            }.value
        }

        func owner(_ trust: Membership?, isClaimed: Bool = true, id: String = "") async -> RoomOwner {
            await claim(trust, isClaimed: isClaimed, id: id).owner
        }

        func claim(_ trust: Membership?, isClaimed: Bool = true, id: String = "") async -> RoomClaim {
            let address = RoomAddress(name: "kitchen", host: "127.0.0.1", port: port)
            let found = FoundRoom(room: address, id: id, version: "", isClaimed: isClaimed)
            return await Task.detached { RoomClaim(of: found, as: trust, clock: HostClock()) }.value
        }

        func look(_ trust: Membership?) async -> Result<RoomLook, SenderError> {
            let address = RoomAddress(name: "kitchen", host: "127.0.0.1", port: port)
            return await Task.detached { () -> Result<RoomLook, SenderError> in
                Result { () throws(SenderError) in try RoomLook(at: address, as: trust, clock: HostClock()) }
            }.value
        }
    }

    @Test func senderSeesWhomASpeakerBelongsTo() async throws {
        try await Self.withDoor { _, _, knocker in
            let (desk, other) = (try knocker.membership("desk"), try knocker.membership("other"))
            #expect(await knocker.owner(desk, isClaimed: false) == .nobody)
            #expect(await knocker.owner(nil, isClaimed: false) == .nobody)
            #expect(await knocker.visit(desk) == nil)
            let id = try #require(desk.pin(of: "kitchen"))
            let claim = await knocker.claim(desk, id: id)
            #expect(claim.owner == .household && claim.pin == id && claim.household == desk.household)
            #expect(claim.claimant == Welcome.Claimant(id: desk.node.id, name: "desk"))
            let told = await knocker.claim(other, id: id)
            #expect(told.household == nil && told.claimant == nil && told.pin == nil)
            #expect(await knocker.owner(other, id: id) == .other)
            #expect(await knocker.owner(nil, id: id) == .other)
            #expect(await knocker.owner(desk, id: "another") == .mismatch)
        }
        try await Self.withDoor(.open) { _, _, knocker in
            let desk = try knocker.membership("desk")
            #expect(await knocker.owner(desk, isClaimed: false) == .open)
            #expect(await knocker.owner(nil, isClaimed: false) == .open)
            #expect(await Knocker(folder: knocker.folder, port: 9).owner(nil) == .unreachable)
        }
    }

    @Test func theFirstHouseholdClaimsAndOthersAreRefused() async throws {
        try await Self.withDoor { _, configuration, knocker in
            let (desk, other) = (try knocker.membership("desk"), try knocker.membership("other"))
            // Whoever only looks claims nothing.
            #expect(try await knocker.look(other).get().welcome.household == nil)
            #expect(await knocker.visit(desk) == nil)
            #expect(try await knocker.look(desk).get().welcome.household == desk.household)
            let refusal = try #require(await knocker.visit(other))
            #expect(refusal.exitCode == 4, "\(refusal)")
            if case .success = await knocker.look(other) { Issue.record("another household may look") }
            let clear = try #require(await knocker.visit(nil))
            #expect(clear.exitCode == 4, "\(clear)")
            let claim = try #require(try SpeakerClaimFile(directory: configuration.stateDirectory).load())
            #expect(claim.household == desk.household && claim.timeKeys == desk.timeKeys)
        }
    }

    @Test func aTokenIsWantedWhereTheSpeakerSaysSo() async throws {
        try await Self.withDoor(.token) { _, configuration, knocker in
            let desk = try knocker.membership("desk")
            #expect(await knocker.visit(desk)?.exitCode == 4)
            let token = try #require(
                try ClaimTokenFile(directory: configuration.stateDirectory).load(makes: false))
            try desk.setToken(ClaimToken(), of: "kitchen")
            #expect(await knocker.visit(desk)?.exitCode == 4)
            try desk.setToken(token, of: "Kitchen")
            #expect(await knocker.visit(desk) == nil)
        }
    }

    @Test func anotherSpeakerUnderAKnownNameIsNotTrusted() async throws {
        try await Self.withDoor { _, _, knocker in
            let desk = try knocker.membership("desk")
            desk.setPin(String(repeating: "0", count: 32), of: "kitchen")
            let refusal = try #require(await knocker.visit(desk))
            #expect(refusal.exitCode == 4 && refusal.description.contains("tutti pair"), "\(refusal)")
            desk.setPin(nil, of: "kitchen")
            #expect(await knocker.visit(desk) == nil)
        }
    }

    @Test func whoWasInvitedPlaysAndWhoWasRevokedDoesNot() async throws {
        try await Self.withDoor { _, _, knocker in
            let desk = try knocker.membership("desk")
            #expect(await knocker.visit(desk) == nil)
            let host = try InvitationHost(desk, host: "127.0.0.1")
            let laptop = try await Task.detached {
                try MembershipFolder(stateDirectory: knocker.folder + "/laptop").join(host.invitation, name: "laptop")
            }.value
            #expect(await knocker.visit(laptop) == nil)
            _ = try desk.revoke("laptop")
            // A look is enough to hand it over.
            _ = try await knocker.look(desk).get()
            #expect(await knocker.visit(laptop)?.exitCode == 4)
            #expect(await knocker.visit(desk) == nil)
        }
    }

    @Test func aSpeakerThatWasResetIsTheNextOnes() async throws {
        try await Self.withDoor { _, configuration, knocker in
            let (desk, other) = (try knocker.membership("desk"), try knocker.membership("other"))
            #expect(await knocker.visit(desk) == nil)
            try SpeakerClaimFile(directory: configuration.stateDirectory).remove()
            try await Task.sleep(for: .milliseconds(1_500))
            #expect(await knocker.visit(other) == nil)
            #expect(await knocker.visit(desk)?.exitCode == 4)
        }
    }

    @Test func anOpenSpeakerLetsEverybodyIn() async throws {
        try await Self.withDoor(.open) { _, _, knocker in
            #expect(await knocker.visit(nil) == nil)
            #expect(await knocker.visit(try? knocker.membership("desk")) == nil)
            #expect(await knocker.visit(try? knocker.membership("other")) == nil)
        }
    }

    @Test func theSpeakerChecksItselfAndNobodyElseDoes() async throws {
        try await Self.withDoor { service, configuration, knocker in
            let address = try #require(SocketAddress(host: "127.0.0.1", port: service.port))
            #expect(await knocker.visit(try knocker.membership("desk")) == nil)
            let words = try await Task.detached {
                try SpeakerCheck.run(at: address, stateDirectory: configuration.stateDirectory, clock: HostClock())
            }.value
            #expect(words.hasPrefix("kitchen"))
            await #expect(throws: SpeakerError.self) {
                try await Task.detached {
                    try SpeakerCheck.run(
                        at: address, stateDirectory: knocker.folder + "/stranger", clock: HostClock())
                }.value
            }
        }
    }

    @Test func aClaimThatCannotBeWrittenIsNone() async throws {
        try await Self.withDoor { _, configuration, knocker in
            let desk = try knocker.membership("desk")
            // What stands where the claim would be.
            let path = configuration.stateDirectory + "/claim.json"
            try FileManager.default.createDirectory(atPath: path + "/full", withIntermediateDirectories: true)
            #expect(await knocker.visit(desk) != nil)
            try FileManager.default.removeItem(atPath: path)
            #expect(await knocker.visit(desk) == nil)
        }
    }
}
