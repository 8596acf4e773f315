import Glibc
import Testing
import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiLive

@Suite("Live sources")
struct LiveSourceTests {
    private let clock = HostClock()

    /// What a source gives until so many frames are there, or nothing has come for five seconds.
    private func read(_ source: LiveSource, frames: Int) -> [Float] {
        var samples: [Float] = []
        let end = clock.now().advanced(byNanoseconds: 5_000_000_000)
        while samples.count < 2 * frames, clock.now() < end {
            samples += source.read(milliseconds: 50)?.samples ?? []
        }
        return samples
    }

    private static func path() -> String { "/tmp/tutti-live-\(UInt64.random(in: 0...UInt64.max))" }

    private struct NoSocket: Error {}

    private static func socket(
        _ port: UInt16, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard descriptor >= 0, result == 0 else { throw NoSocket() }
        return descriptor
    }

    /// A connection to whoever listens.
    private static func client(_ port: UInt16) throws -> Int32 { try socket(port, connect) }

    /// A port on which nobody listens.
    private static func freePort() throws -> UInt16 {
        let descriptor = try socket(0, bind)
        defer { close(descriptor) }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    private func bytes(_ samples: [Int16]) -> [UInt8] {
        samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    @Test("A pipe is made, and what is written to it comes out, mono as stereo")
    func pipe() throws {
        let path = Self.path() + ".fifo"
        defer { unlink(path) }
        let source = try LiveSource(LiveAddress("pipe:\(path)?format=48000:16:1"), name: "pipe", clock: clock)
        let writer = open(path, O_WRONLY | O_NONBLOCK)
        defer { close(writer) }
        let sent = bytes([0, 16_384, -32_768, 8_192])
        #expect(write(writer, sent, sent.count) == sent.count)
        #expect(read(source, frames: 4) == [0, 0, 0.5, 0.5, -1, -1, 0.25, 0.25])
    }

    @Test("Half a frame of a writer that has gone is no part of the next one's first")
    func halfFrame() throws {
        let path = Self.path() + ".fifo"
        defer { unlink(path) }
        let source = try LiveSource(LiveAddress("pipe:\(path)?format=48000:16:2"), name: "pipe", clock: clock)
        let writer = open(path, O_WRONLY | O_NONBLOCK)
        defer { close(writer) }
        let first = bytes([16_384, 16_384]) + [1, 2, 3]
        #expect(write(writer, first, first.count) == first.count)
        #expect(read(source, frames: 1) == [0.5, 0.5])
        // It goes; the next one comes half a second later.
        for _ in 0..<10 { _ = source.read(milliseconds: 50) }
        let second = bytes([8_192, -8_192])
        #expect(write(writer, second, second.count) == second.count)
        #expect(read(source, frames: 1) == [0.25, -0.25])
    }

    @Test("A program's output is read, and it is started again when it ends")
    func program() throws {
        let source = try LiveSource(
            LiveAddress("exec:printf '\\000\\100\\000\\100'?format=48000:16:2"), name: "program", clock: clock)
        #expect(read(source, frames: 2) == [0.5, 0.5, 0.5, 0.5])
        #expect(source.takeNews().contains { $0.contains("it has ended") })
    }

    @Test("A program that writes as fast as it can is held to the time that its sound takes")
    func pace() throws {
        let source = try LiveSource(LiveAddress("exec:cat /dev/zero?format=48000:16:2"), name: "zero", clock: clock)
        let begin = clock.now()
        let frames = read(source, frames: 48_000).count / 2
        let seconds = Double(clock.now().nanoseconds(since: begin)) * 1e-9
        #expect(frames >= 48_000)
        #expect(seconds > 0.8, "a second of sound took \(seconds) s")
    }

    @Test("Whoever connects is heard, one after the other")
    func listener() throws {
        let port = try Self.freePort()
        let source = try LiveSource(
            LiveAddress("tcp://127.0.0.1:\(port)?listen&format=48000:16:1"), name: "tcp", clock: clock)
        for value: Int16 in [8_192, 16_384] {
            _ = source.read(milliseconds: 10)
            let peer = try Self.client(port)
            let sent = bytes([value])
            #expect(write(peer, sent, sent.count) == sent.count)
            #expect(read(source, frames: 1) == [Float(value) / 32_768, Float(value) / 32_768])
            close(peer)
        }
    }

    @Test("What is not there is said once, in one line")
    func missing() throws {
        let path = Self.path() + ".sock"
        let source = try LiveSource(LiveAddress("unix:\(path)"), name: "unix:\(path)", clock: clock)
        var news: [String] = []
        for _ in 0..<30 {
            _ = source.read(milliseconds: 20)
            news += source.takeNews()
        }
        #expect(news.count == 1 && news.first?.contains("No such file") == true, "\(news)")
        let node = try LiveSource(LiveAddress("pipewire:nobody-offers-this"), name: "node", clock: clock)
        news = []
        for _ in 0..<30 {
            _ = node.read(milliseconds: 20)
            news += node.takeNews()
        }
        #expect(news.count == 1 && news.first?.contains("tutti-pipewire --input") == true, "\(news)")
        #expect(throws: AssetError.self) {
            try LiveSource(LiveAddress("alsa:nothing-of-this-name"), name: "card", clock: clock)
        }
        #expect(throws: AssetError.self) {
            try LiveSource(LiveAddress("pipe:/dev/null"), name: "null", clock: clock)
        }
    }

    @Test("Numbers that are none are silence")
    func noNumbers() throws {
        let path = Self.path() + ".fifo"
        defer { unlink(path) }
        let source = try LiveSource(LiveAddress("pipe:\(path)?format=48000:f32:1"), name: "pipe", clock: clock)
        let writer = open(path, O_WRONLY | O_NONBLOCK)
        defer { close(writer) }
        let sent = [Float.nan, .infinity, 0.5].flatMap { value in
            (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
        }
        #expect(write(writer, sent, sent.count) == sent.count)
        #expect(read(source, frames: 3) == [0, 0, 0, 0, 0.5, 0.5])
    }
}
