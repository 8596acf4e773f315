import Foundation
import Testing
import TuttiTunnel

/// Where other hosts are, and what is remembered of them.
@Suite struct RemoteAddressTests {
    @Test(arguments: [
        ("music.local", "music.local:7780"), ("Music.Local:80", "music.local:80"), ("10.0.0.7", "10.0.0.7:7780"),
        ("[fe80::1]:8080", "[fe80::1]:8080"), ("fe80::1", "[fe80::1]:7780"), ("[::1]", "[::1]:7780"),
        ("https://music.example/", "music.example:7780"), ("https://127.0.0.1:9", "127.0.0.1:9"),
        ("http://localhost:9", "localhost:9"),
    ])
    func addressesAreRead(_ text: String, _ description: String) throws {
        let address = try #require(RemoteAddress(text))
        #expect("\(address)" == description)
        #expect(RemoteAddress(description)?.host == address.host)
    }

    @Test(arguments: [
        "", ":", ":80", "a:", "a:0", "a:65536", "a:b", "a b", "a/b", "-\u{0}", "[::1", "http://music.local", "a:1:2:x",
        "user@host", "ftp://a", "a#b", "[a]:80x",
    ])
    func othersAreNone(_ text: String) { #expect(RemoteAddress(text) == nil) }

    @Test func onlyThisHostIsSpokenToInTheClear() {
        for text in ["localhost", "127.0.0.1:80", "[::1]:80", "http://127.1.2.3:80"] {
            #expect(RemoteAddress(text)?.isPlain == true, "\(text)")
        }
        for text in ["127.0.0.1.evil.example", "10.0.0.1", "localhost.evil", "https://localhost", "music"] {
            #expect(RemoteAddress(text)?.isPlain == false, "\(text)")
        }
    }

    @Test func whatIsRememberedIsItsOwnersAlone() throws {
        let folder = NSTemporaryDirectory() + "tutti-hosts-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (hosts, address) = (KnownHosts(folder: folder), try #require(RemoteAddress("music:1")))
        #expect(try hosts.entries() == [:])
        try hosts.change(address) { $0 = KnownHosts.Entry(token: "secret", fingerprint: "AA") }
        try hosts.change(address) { entry in entry = KnownHosts.Entry(token: entry?.token, fingerprint: "BB") }
        #expect(try hosts.entries() == ["music:1": KnownHosts.Entry(token: "secret", fingerprint: "BB")])
        let mode = try FileManager.default.attributesOfItem(atPath: hosts.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try hosts.change(address) { $0 = nil }
        #expect(try hosts.entries() == [:])
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: hosts.path))
        #expect(throws: RemoteFailure.self) { try hosts.entries() }
        #expect(throws: RemoteFailure.self) { try hosts.change(address) { $0 = nil } }
    }
}
