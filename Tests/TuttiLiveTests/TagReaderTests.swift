import Glibc
import Testing
import TuttiAssets
import TuttiHost
import TuttiLive

@Suite("Readers of what live sources say")
struct TagReaderTests {
    private let folder = "/tmp/tutti-tags-\(UInt64.random(in: 0...UInt64.max))"
    private let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

    init() throws { try StatePaths.prepare(folder) }

    /// Reads until something is said, or for five seconds.
    private func next(_ reader: TagReader) -> [TagReader.Event] {
        var events: [TagReader.Event] = []
        for _ in 0..<100 where events.isEmpty { reader.read(milliseconds: 50) { events.append($0) } }
        return events
    }

    /// Reads what is there now.
    private func settle(_ reader: TagReader) { reader.read(milliseconds: 0) { _ in } }

    private func write(_ text: String, to path: String) {
        let descriptor = open(path, O_WRONLY | O_NONBLOCK)
        #expect(
            descriptor >= 0
                && Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } > 0)
        close(descriptor)
    }

    private func reader(_ address: String, pictures: TagPictures? = nil) throws -> TagReader {
        TagReader(try #require(TagAddress(address)), pictures: pictures, interrupter: Interrupter())
    }

    @Test("A pipe is made, its writers come and go, and one that is made anew is found")
    func pipe() throws {
        defer { unlink(folder + "/pipe") }
        let reader = try reader("lines:\(folder)/pipe")
        settle(reader)
        write("title=A\n\n", to: folder + "/pipe")
        #expect(next(reader) == [.says(StreamTags(title: "A"))])
        write("title=B\nartist=C\n\n", to: folder + "/pipe")
        #expect(next(reader) == [.says(StreamTags(title: "B", artist: "C"))])
        unlink(folder + "/pipe")
        mkfifo(folder + "/pipe", 0o600)
        // It notices, and opens the new one.
        for _ in 0..<3 { settle(reader) }
        write("title=D\n\n", to: folder + "/pipe")
        #expect(next(reader) == [.says(StreamTags(title: "D"))])
    }

    @Test("Programs connect to a socket, several at once, and a set ends with its connection")
    func socket() throws {
        let path = folder + "/socket"
        let reader = try reader("lines:\(path)?listen")
        settle(reader)
        let (one, two) = (try client(path), try client(path))
        for _ in 0..<4 { settle(reader) }
        send("title=A\n", to: one)
        send("title=B\n\n", to: two)
        #expect(next(reader) == [.says(StreamTags(title: "B"))])
        close(one)
        #expect(next(reader) == [.says(StreamTags(title: "A"))])
        close(two)
    }

    private struct NoSocket: Error {}

    private func client(_ path: String) throws -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard descriptor >= 0, result == 0 else { throw NoSocket() }
        return descriptor
    }

    private func send(_ text: String, to descriptor: Int32) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    @Test("Pictures are kept as files, no more than some, and what is none is told once")
    func pictures() throws {
        let file = folder + "/cover.jpg"
        try AtomicFile.write(picture, to: file)
        let kept = try TagPictures(in: folder + "/pictures", prefix: "0")
        let reader = try reader("lines:\(folder)/pipe2", pictures: kept)
        settle(reader)
        write("title=A\nart=\(file)\n\n", to: folder + "/pipe2")
        guard case .says(let tags)? = next(reader).first, let path = tags?.artwork else {
            Issue.record("no picture")
            return
        }
        #expect(try AtomicFile.read(path) == picture)
        for count in 0..<2 {
            write("title=B\nart=/nonexistent\n\n", to: folder + "/pipe2")
            let events = next(reader)
            #expect(events.first == .says(StreamTags(title: "B")) && events.count == (count == 0 ? 2 : 1), "\(events)")
        }
        for number: UInt8 in 0..<10 { _ = try kept.keep(AssetInfo.Artwork(data: [number], mimeType: "image/png")) }
        #expect(access(path, F_OK) != 0)
    }

    @Test("What cannot be opened is told once")
    func trouble() throws {
        try AtomicFile.write([1], to: folder + "/file")
        let reader = try reader("lines:\(folder)/file")
        var events: [TagReader.Event] = []
        for _ in 0..<3 { reader.read(milliseconds: 1) { events.append($0) } }
        #expect(events == [.remark("\(folder)/file: this is no named pipe; it is tried again")])
    }
}
