import Foundation
import Testing
import TuttiTrust

/// Tokens of programs and phones, and the file that they are kept in.
@Suite struct TokenStoreTests {
    @Test func aTokenIsKnownUntilItIsRevoked() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let store = TokenStore(stateDirectory: folder.path)
        #expect(try store.entries(at: 9).isEmpty)
        let phone = try store.add("phone", scope: .control, at: 7)
        let other = try store.add("dashboard", scope: .listen, at: 8)
        #expect(try store.entry(of: phone.text, at: 9) == store.entries(at: 9).last)
        #expect(try store.entry(of: phone.text.lowercased().replacing("-", with: ""), at: 9)?.scope == .control)
        #expect(try store.entry(of: other.text, at: 9)?.name == "dashboard")
        #expect(try store.entry(of: ClaimToken().text, at: 9) == nil && store.entry(of: "", at: 9) == nil)
        #expect(try store.entries(at: 9).map(\.name) == ["dashboard", "phone"])
        try store.revoke("phone")
        #expect(try store.entry(of: phone.text, at: 9) == nil && store.entry(of: other.text, at: 9) != nil)
        #expect(throws: TrustError.self) { try store.revoke("phone") }
    }

    @Test func aGuestsTokenEndsOnItsOwn() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let store = TokenStore(stateDirectory: folder.path)
        let guest = try store.add("guest", scope: .control, group: "party", until: 100, at: 7)
        let other = try store.add("short", scope: .listen, until: 50, at: 7)
        #expect(
            try store.entry(of: guest.text, at: 99)
                == TokenEntry(name: "guest", scope: .control, madeAt: 7, group: "party", until: 100))
        #expect(try store.entries(at: 50).map(\.name) == ["guest"])
        // It is gone, also when the clock goes back.
        #expect(try store.entry(of: other.text, at: 0) == nil)
        #expect(try store.entry(of: guest.text, at: 100) == nil && store.entry(of: guest.text, at: 0) == nil)
        _ = try store.add("guest", scope: .listen, at: 101)
        #expect(throws: TrustError.self) { try store.add("chief", scope: .admin, group: "party", at: 101) }
    }

    @Test func aFileOfAnEarlierVersionIsRead() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let store = TokenStore(stateDirectory: folder.path)
        let token = try store.add("phone", scope: .listen, at: 7)
        let text = try String(contentsOfFile: folder.path + "/trust/tokens.json", encoding: .utf8)
        #expect(!text.contains("group") && !text.contains("until"))
        #expect(try store.entry(of: token.text, at: 9)?.group == nil)
    }

    @Test func scopesIncludeOneAnother() {
        #expect(TokenScope.listen < .control && TokenScope.control < .admin && !(TokenScope.admin < .admin))
    }

    @Test func theFileIsItsOwnersAloneAndHoldsNoToken() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let store = TokenStore(stateDirectory: folder.path)
        let token = try store.add("phone", scope: .admin, at: 7)
        let path = folder.path + "/trust/tokens.json"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!text.contains(token.text) && !text.contains(token.text.replacing("-", with: "")))
    }

    @Test func namesAreUniqueAndNumbersBounded() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let store = TokenStore(stateDirectory: folder.path)
        _ = try store.add("phone", scope: .listen, at: 0)
        for name in ["phone", "", "a\nb", String(repeating: "x", count: TokenStore.maximumNameBytes + 1)] {
            #expect(throws: TrustError.self, "\(name)") { try store.add(name, scope: .listen, at: 0) }
        }
        #expect(try store.entries(at: 9).count == 1)
    }

    @Test func severalProcessesLoseNothingOfEachOther() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let store = TokenStore(stateDirectory: folder.path)
                    _ = try store.add("phone \(number)", scope: .control, at: 0)
                    if number % 4 == 0 { try store.revoke("phone \(number)") }
                }
            }
        }
        #expect(try TokenStore(stateDirectory: folder.path).entries(at: 9).count == 15)
    }

    @Test func aDamagedFileIsSaidAndNotReplaced() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let store = TokenStore(stateDirectory: folder.path)
        let token = try store.add("phone", scope: .control, at: 0)
        let path = folder.path + "/trust/tokens.json"
        try Data("[{".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: TrustError.self) { try store.entry(of: token.text, at: 9) }
        #expect(throws: TrustError.self) { try store.add("laptop", scope: .control, at: 0) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[{")
    }
}
