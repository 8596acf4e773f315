import Foundation
import TestSupport

/// A server on this host that gives out one file, in ranges, or never answers.
final class WebServer: Sendable {
    private let listener: LoopbackListener

    var port: UInt16 { listener.port }

    /// - Parameter file: what every path below `/ok` gives; other paths give 404; nil for a server that stays silent.
    init(file: [UInt8]?) throws {
        listener = try LoopbackListener { peer in
            if let file { Self.serve(file, to: peer) }
        }
    }

    private static func serve(_ file: [UInt8], to peer: Int32) {
        defer { close(peer) }
        let text = LoopbackListener.request(from: peer) ?? ""
        var head = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        var body: ArraySlice<UInt8> = []
        if text.hasPrefix("GET /ok") {
            let range = text.components(separatedBy: "\r\nRange: bytes=").dropFirst().first ?? "0-"
            let start = min(Int(range.prefix { $0.isNumber }) ?? 0, file.count)
            body = file[start...]
            head =
                "HTTP/1.1 206 Partial Content\r\nContent-Type: audio/x\r\nAccept-Ranges: bytes\r\nConnection: close\r\n"
                + "Content-Range: bytes \(start)-\(file.count - 1)/\(file.count)\r\nContent-Length: \(body.count)\r\n\r\n"
        }
        LoopbackListener.send(Array(head.utf8) + body, to: peer)
    }
}
