import Glibc

/// The socket of a service that hangs: it takes connections and never says a word.
struct SilentSocket: ~Copyable {
    private let descriptor: Int32

    /// Puts it where the service's was.
    init(at path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        unlink(path)
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isReady = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
            }
        }
        guard isReady else { throw EveningError.noPort }
    }

    deinit { close(descriptor) }

    /// How many have connected since this was asked last. The system takes them without being asked to.
    func connections() -> Int {
        var count = 0
        while true {
            let peer = accept(descriptor, nil, nil)
            guard peer >= 0 else { return count }
            close(peer)
            count += 1
        }
    }
}
