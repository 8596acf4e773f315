import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import TuttiHost
import TuttiSchema

/// Files of this host, sent to be played there.
extension RemoteHost {
    /// Bytes that are read at once.
    private static let piece = 256 << 10

    /// Sends a file.
    ///
    /// - Parameter progress: is told how much of it has gone, 0 … 1.
    /// - Returns: what to give as an input there.
    /// - Throws: `RemoteFailure`.
    package func send(file path: String, progress: @escaping @Sendable (Double) -> Void) async throws -> String {
        guard let facts = FileFacts(path: path) ?? FileFacts(path: Self.resolved(path)) else {
            throw RemoteFailure("\(path): only files can be sent to \(address)", exitCode: 3)
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let request = Request(
            method: .POST, path: "/api/v1/uploads?name=\(Self.coded(name))", type: "application/octet-stream",
            length: facts.bytes)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw RemoteFailure("\(path): cannot be read: \(HostError.text(ofErrno: errno))", exitCode: 3)
        }
        defer { close(descriptor) }
        var answer: [UInt8] = []
        try await exchange(request) { outbound in
            var sent = 0
            while sent < facts.bytes {
                let count = min(Self.piece, facts.bytes - sent)
                let bytes = try await NIOThreadPool.singleton.runIfActive { Self.read(descriptor, count) }
                guard let bytes, !bytes.isEmpty else {
                    throw RemoteFailure("\(path): cannot be read to its end", exitCode: 3)
                }
                try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
                sent += bytes.count
                progress(Double(sent) / Double(max(1, facts.bytes)))
            }
        } part: {
            answer.append(contentsOf: $0.readableBytesView)
        }
        struct Kept: Decodable { var uri: String }
        guard let kept: Kept = JSONLine.decode(answer) else {
            throw RemoteFailure("\(address): its answer cannot be read; is it another version?")
        }
        return kept.uri
    }

    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func read(_ descriptor: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let got = Glibc.read(descriptor, &bytes, count)
            if got < 0, errno == EINTR { continue }
            return got < 0 ? nil : Array(bytes.prefix(got))
        }
    }

    /// A text as it stands in a query.
    static func coded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = text.utf8.flatMap { byte -> [UInt8] in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                || [0x2D, 0x2E, 0x5F].contains(byte)
            return isPlain ? [byte] : [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
