import Foundation
import Glibc

/// Speaks HTTP/1.1 with a server on this host, one request a connection, as plainly as can be.
struct WebClient {
    /// What came back.
    struct Answer {
        var status = 0
        var headers: [String: String] = [:]
        var body = ""

        /// The body as an object.
        var object: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
        }
    }

    let port: UInt16

    /// Sends a request and waits for the whole answer.
    func ask(
        _ method: String, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
    ) throws -> Answer {
        let connection = try WebConnection(port: port)
        var fields = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
        if let body {
            fields["Content-Type"] = "application/json"
            fields["Content-Length"] = "\(body.utf8.count)"
        }
        fields.merge(headers) { $1 }
        let head = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        connection.send("\(method) \(path) HTTP/1.1\r\n\(head)\r\n\(body ?? "")")
        var answer = try connection.head()
        while let line = connection.line(within: 20) { answer.body += line + "\n" }
        answer.body += connection.rest
        return answer
    }
}

/// Events of a server on this host.
final class WebEvents {
    /// One event.
    struct Event {
        var id = ""
        var name = ""
        var data = ""
    }

    private let connection: WebConnection

    /// Begins to listen.
    init(port: UInt16, after id: String? = nil) throws {
        connection = try WebConnection(port: port)
        let last = id.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        connection.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost:\(port)\r\n\(last)\r\n")
        _ = try connection.head()
    }

    /// The next event that is meant; nil if none comes in time.
    func next(within seconds: Double = 20, where isMeant: (Event) -> Bool = { _ in true }) -> Event? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var event = Event()
        while ContinuousClock.now < deadline, let line = connection.line(within: seconds) {
            if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
            if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
            if line.hasPrefix("data: ") {
                event.data = String(line.dropFirst(6))
                if isMeant(event) { return event }
                event = Event()
            }
        }
        return nil
    }
}

/// A connection whose answer is read line by line.
final class WebConnection {
    private let descriptor: Int32
    private var pending: [UInt8] = []

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let outcome = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if outcome != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    /// What has come after the last line.
    var rest: String { String(decoding: pending, as: UTF8.self) }

    /// Sends everything, as far as the other side takes it.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            sent += count
        }
    }

    /// The status and the header fields.
    func head() throws -> WebClient.Answer {
        var answer = WebClient.Answer()
        guard let first = line(within: 60), let status = Int(first.split(separator: " ").dropFirst().first ?? "") else {
            throw POSIXError(.ECONNRESET)
        }
        answer.status = status
        while let line = line(within: 20), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            answer.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return answer
    }

    /// The next line without its end; nil at the end of the connection and after a while.
    func line(within seconds: Double) -> String? {
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int((seconds - seconds.rounded(.down)) * 1e6))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        while true {
            if let end = pending.firstIndex(of: 0x0A) {
                var line = pending[..<end]
                if line.last == 0x0D { line.removeLast() }
                pending.removeFirst(end + 1)
                return String(decoding: line, as: UTF8.self)
            }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            pending += chunk[..<count]
        }
    }
}
