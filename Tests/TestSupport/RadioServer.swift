import Glibc
import Synchronization

/// A web server on loopback that answers as servers do that are not well kept, and counts what it is asked for.
package final class RadioServer: Sendable {
    /// What comes as an answer.
    package enum Manner: Sendable {
        /// With a length; with ranges or without.
        case whole(ranges: Bool)
        /// With a length, so many milliseconds after it was asked.
        case slow(Int)
        /// Until the connection ends.
        case withoutLength
        /// In chunks, up to the last one.
        case chunked
        /// With a length, and broken off after a share of it, for the first so many requests.
        case cutOff(ranges: Bool, times: Int)
        /// Without a length, and reset after a share of it.
        case reset
        /// With a length, and silent after a share of it, for the first request.
        case silent
        /// A station: ICY headers, the titles in turn, and the end after the last one, each time.
        case station(titles: [String])
        /// This status and nothing else.
        case status(Int)
        /// From here to here.
        case redirects
        /// A head that does not end.
        case endlessHead
        /// A body that does not end, line after line.
        case endlessBody
    }

    private let listener: LoopbackListener
    private let counter: RequestCounter

    /// Where it listens.
    package var port: UInt16 { listener.port }
    /// Requests so far.
    package var requests: Int { counter.value }
    /// The address of a file there.
    package func address(_ file: String) -> String { "http://127.0.0.1:\(port)/\(file)" }

    /// Bytes between two titles of a station.
    private static let interval = 4_096

    /// - Parameter body: what every path gives.
    package init(_ manner: Manner, body: [UInt8], type: String = "audio/mpeg") throws {
        let counter = RequestCounter()
        self.counter = counter
        listener = try LoopbackListener { peer in
            defer { close(peer) }
            guard let request = LoopbackListener.request(from: peer) else { return }
            Self.answer(request, number: counter.next(), manner, body, type, to: peer)
        }
    }

    private static func answer(
        _ request: String, number: Int, _ manner: Manner, _ body: [UInt8], _ type: String, to peer: Int32
    ) {
        let share = body.count / 2 / 4 * 4
        func send(_ head: String, _ content: some Sequence<UInt8> = []) {
            let type = "Content-Type: \(type)\r\nConnection: close\r\n"
            LoopbackListener.send(Array("HTTP/1.1 \(head)\(type)\r\n".utf8) + content, to: peer)
        }
        switch manner {
        case .whole(let ranges): file(request, body, upTo: body.count, ranges: ranges, send)
        case .slow(let milliseconds):
            usleep(UInt32(milliseconds) * 1_000)
            file(request, body, upTo: body.count, ranges: false, send)
        case .cutOff(let ranges, let times):
            file(request, body, upTo: number <= times ? share : body.count, ranges: ranges, send)
        case .silent:
            file(request, body, upTo: number == 1 ? share : body.count, ranges: true, send)
            if number == 1 { sleep(30) }
        case .withoutLength: send("200 OK\r\n", body)
        case .reset:
            send("200 OK\r\n", body.prefix(share))
            usleep(300_000)
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(peer, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        case .chunked: send("200 OK\r\nTransfer-Encoding: chunked\r\n", chunks(of: body))
        case .station(let titles):
            let name = "icy-name: Loopback FM\r\nicy-metaint: \(interval)\r\n"
            send("200 OK\r\n\(name)", woven(body, titles: titles))
        case .status(let status): send("\(status) Sorry\r\nContent-Length: 0\r\n")
        case .redirects: send("302 Found\r\nLocation: /again\(number).mp3\r\nContent-Length: 0\r\n")
        case .endlessHead:
            LoopbackListener.send("HTTP/1.1 200 OK\r\n".utf8, to: peer)
            repeatUntilClosed("X-Filler: \(String(repeating: "x", count: 200))\r\n", to: peer)
        case .endlessBody:
            send("200 OK\r\n")
            repeatUntilClosed("# nothing\r\n", to: peer)
        }
    }

    private static func file(
        _ request: String, _ body: [UInt8], upTo count: Int, ranges: Bool, _ send: (String, ArraySlice<UInt8>) -> Void
    ) {
        let range = request.split(separator: "\r\n").first { $0.hasPrefix("Range: bytes=") }?.dropFirst(13)
        let start = min(ranges ? range.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0 : 0, body.count)
        let length = "Content-Length: \(body.count - start)\r\n"
        guard ranges else { return send("200 OK\r\n\(length)", body[..<count]) }
        let place = "Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)\r\nAccept-Ranges: bytes\r\n"
        // Never less than a little: a server that gives nothing from there on is another case.
        send("206 Partial Content\r\n\(place)\(length)", body[start..<max(count, start)])
    }

    private static func chunks(of body: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: 10_000) {
            let chunk = body[start..<min(start + 10_000, body.count)]
            result += Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + Array("\r\n".utf8)
        }
        return result + Array("0\r\n\r\n".utf8)
    }

    /// The sound with a title behind each interval; those that are over change nothing.
    private static func woven(_ body: [UInt8], titles: [String]) -> [UInt8] {
        var result: [UInt8] = []
        let every = max(1, body.count / interval / max(1, titles.count))
        for (index, start) in stride(from: 0, to: body.count, by: interval).enumerated() {
            let end = min(start + interval, body.count)
            result += body[start..<end]
            guard end - start == interval else { break }
            let isNew = index % every == 0 && index / every < titles.count
            let text = isNew ? Array("StreamTitle='\(titles[index / every])';".utf8) : []
            let blocks = (text.count + 15) / 16
            result += [UInt8(blocks)] + text + [UInt8](repeating: 0, count: blocks * 16 - text.count)
        }
        return result
    }

    private static func repeatUntilClosed(_ line: String, to peer: Int32) {
        let bytes = Array(String(repeating: line, count: 20).utf8)
        while bytes.withUnsafeBytes({ Glibc.send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) > 0 {
            usleep(10_000)
        }
    }
}

/// Counts across connections.
private final class RequestCounter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    func next() -> Int { count.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}
