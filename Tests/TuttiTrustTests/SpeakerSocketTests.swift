import Glibc
import TestSupport
import Testing
import TuttiHost
import TuttiTrust

@Suite("Speaker socket")
struct SpeakerSocketTests {
    @Test func whoHungUpIsStillKnown() throws {
        let listener = try LoopbackListener { peer in
            LoopbackListener.send(Array("hello".utf8), to: peer)
            close(peer)
        }
        defer { listener.stop() }
        let address = try #require(SocketAddress(numericHost: "127.0.0.1", port: listener.port))
        let socket = try SpeakerSocket(address, context: nil, timeoutNanoseconds: 5_000_000_000)
        var received: [UInt8] = []
        while let bytes = socket.receive(timeoutNanoseconds: 5_000_000_000), !bytes.isEmpty { received += bytes }
        #expect(received == Array("hello".utf8))
        #expect(socket.peer == address)
    }
}
