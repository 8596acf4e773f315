import Foundation
import Glibc
import TestSupport

/// A web server on loopback that gives one file for every path, whole.
final class FileServer: Sendable {
    private let listener: LoopbackListener

    var port: UInt16 { listener.port }

    init(file: Data) throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/flac\r\nContent-Length: \(file.count)\r\n"
        let answer = Array((head + "Connection: close\r\n\r\n").utf8) + [UInt8](file)
        listener = try LoopbackListener { peer in
            defer { close(peer) }
            guard LoopbackListener.request(from: peer) != nil else { return }
            LoopbackListener.send(answer, to: peer)
        }
    }
}
