import Glibc
import TuttiHost
import TuttiTrust

extension SpeakerSocket {
    /// Connects to the first of the room's addresses that answers.
    ///
    /// - Throws: `.roomUnreachable`.
    convenience init(
        _ room: RoomAddress, as trust: Membership?, timeoutNanoseconds: Int64
    ) throws(SenderError) {
        let addresses: [SocketAddress]
        do {
            addresses = try SocketAddress.resolve(host: room.host ?? "", port: room.port)
        } catch {
            throw .roomUnreachable(room.label, reason: error.description)
        }
        var code = EHOSTUNREACH
        for address in addresses {
            do {
                try self.init(address, as: trust, timeoutNanoseconds: timeoutNanoseconds)
                return
            } catch {
                if case .system(_, let failure) = error { code = failure }
            }
        }
        let reason =
            switch code {
            case ECONNREFUSED: "no speaker listens at \(room.endpoint); is tutti-speaker running there?"
            case EPROTO: Self.unsecured(room.endpoint)
            default: "cannot reach \(room.endpoint): \(HostError.text(ofErrno: code))"
            }
        throw .roomUnreachable(room.label, reason: reason)
    }

    /// Something answers that does not secure its connection.
    static func unsecured(_ endpoint: String) -> String {
        "\(endpoint) does not speak as a speaker of this version does; update it, or start both with --open"
    }
}
