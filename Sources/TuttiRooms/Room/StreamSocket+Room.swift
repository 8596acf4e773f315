import Glibc
import TuttiHost

extension StreamSocket {
    /// Connects to the first of the room's addresses that answers.
    ///
    /// - Throws: `.roomUnreachable`.
    init(_ room: RoomAddress, timeoutNanoseconds: Int64) throws(SenderError) {
        let addresses: [SocketAddress]
        do {
            addresses = try SocketAddress.resolve(host: room.host ?? "", port: room.port)
        } catch {
            throw .roomUnreachable(room.label, reason: error.description)
        }
        var code = EHOSTUNREACH
        for address in addresses {
            do {
                try self.init(address, timeoutNanoseconds: timeoutNanoseconds)
                return
            } catch {
                if case .system(_, let failure) = error { code = failure }
            }
        }
        let reason =
            code == ECONNREFUSED
            ? "no speaker listens at \(room.endpoint); is tutti-speaker running there?"
            : "cannot reach \(room.endpoint): \(HostError.text(ofErrno: code))"
        throw .roomUnreachable(room.label, reason: reason)
    }
}
