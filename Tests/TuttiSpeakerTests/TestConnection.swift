import Glibc
import TuttiCore
import TuttiWire

/// A blocking TCP connection to a speaker on this machine, for tests that speak the protocol, or break it, by hand.
final class TestConnection {
    private let descriptor: Int32
    private var decoder = FrameDecoder()

    /// Nil when nobody listens on the port.
    init?(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 { return nil }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends all of it; false when the other side has hung up, or takes no more for five seconds.
    func trySend(_ bytes: [UInt8]) -> Bool {
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    func send(_ message: ControlMessage) { send(message.encodedFrame()) }

    /// All that comes until the other side hangs up, or says nothing for five seconds longer than it may.
    func text() -> String {
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var bytes: [UInt8] = []
        while true {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    /// The next control message; nil when the speaker closes the connection or says nothing for five seconds.
    func receive() -> ControlMessage? {
        while true {
            if case .control(let body) = try? decoder.next() { return try? ControlMessage(parsing: body) }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            decoder.append([UInt8](buffer[..<count]))
        }
    }

    /// The next message that `isWanted`; nil when the connection ends before or `limit` others came.
    func receive(limit: Int = 200, where isWanted: (ControlMessage) -> Bool) -> ControlMessage? {
        for _ in 0..<limit {
            guard let message = receive() else { return nil }
            if isWanted(message) { return message }
        }
        return nil
    }

    /// Says hello as a sender and waits for the welcome.
    func greet(
        sender: String = "test", stream: UInt32 = 1, policy: RouteSharingPolicy = .longForm
    ) -> Welcome? {
        send(.hello(Hello(role: .control, senderID: sender, senderName: sender, stream: stream, policy: policy)))
        guard case .welcome(let welcome) = receive(where: { if case .welcome = $0 { true } else { false } }) else {
            return nil
        }
        return welcome
    }

    /// The next status.
    func status() -> SpeakerStatus? {
        guard case .status(let status) = receive(where: { if case .status = $0 { true } else { false } }) else {
            return nil
        }
        return status
    }

    /// Whether the speaker ends the connection.
    var isClosed: Bool {
        for _ in 0..<200 where receive() == nil {
            var byte: UInt8 = 0
            return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 0 || errno == ECONNRESET
        }
        return false
    }
}
