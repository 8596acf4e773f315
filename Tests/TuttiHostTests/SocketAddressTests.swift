import Testing
import TuttiHost

@Suite struct SocketAddressTests {
    @Test(arguments: [
        ("10.0.0.7", "10.0.0.7:7700"), ("::1", "[::1]:7700"), ("::ffff:10.0.0.7", "10.0.0.7:7700"),
        ("2001:db8::1:0:7", "[2001:db8::1:0:7]:7700"),
    ])
    func numericAddressesRoundTrip(host: String, text: String) throws {
        let address = try #require(SocketAddress(host: host, port: 7700))
        #expect(address.description == text)
        #expect(SocketAddress(host: address.host, port: 7700) == address)
        #expect(address.with(port: 1).port == 1)
    }

    @Test func nonsenseLeadsNowhere() {
        #expect(SocketAddress(host: "300.1.1.1.1", port: 1) == nil)
        #expect(throws: HostError.self) { try SocketAddress.resolve(host: "no such host", port: 1) }
    }

    @Test func foreignBytesAreNoAddress() {
        #expect([UInt8](repeating: 2, count: 1).withUnsafeBytes { SocketAddress(rawBytes: $0) } == nil)
        #expect([UInt8](repeating: 0, count: 128).withUnsafeBytes { SocketAddress(rawBytes: $0) } == nil)
        // AF_INET in a structure that is too short.
        #expect([UInt8]([2, 0, 1, 1]).withUnsafeBytes { SocketAddress(rawBytes: $0) } == nil)
    }

    @Test func anIPv4SocketCannotReachIPv6() throws {
        let address = try #require(SocketAddress(host: "::1", port: 1))
        #expect(address.withRawAddress(for: .v4) { $0.count } == nil)
        #expect(address.withRawAddress(for: .v6) { $0.count } == 28)
    }
}
