import Glibc
import TuttiHost
import TuttiPOSIX
import TuttiRealtime

/// A Unix socket at which one reader gets samples: interleaved stereo, four bytes each.
///
/// Nothing here waits. Who may connect is as for the service's own socket: this user, root, and the folder's group where
/// the folder lets it in.
final class SampleSocket {
    /// What a socket option gives of who connects; Linux's number.
    private static let peerGroups: Int32 = 59

    let path: String
    let listener: Int32
    /// The reader; nil while there is none.
    private(set) var connection: Int32?
    private let admission: SocketAdmission
    /// What is left of a frame that was sent in part.
    private var rest: [UInt8] = []
    /// Whether the reader is to be waited for.
    private(set) var wantsToWrite = false

    /// Listens at a path, in a folder that is there. A socket that was left there is replaced, and nothing else.
    init(path: String, folder: String) throws(HostError) {
        (self.path, admission) = (path, SocketAdmission(folder: folder))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw .file(action: "listen at", path: path, code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK {
            guard UnixSocket.connected(to: path, timeoutSeconds: 1) == nil else {
                throw .file(action: "listen at", path: path, code: EADDRINUSE)
            }
            unlink(path)
        }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw .system(action: "create a socket", code: errno) }
        // It is there with its permissions, or not at all.
        let mask = umask(0o777)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        umask(mask)
        guard isBound, chmod(path, admission.mode) == 0, listen(descriptor, 4) == 0 else {
            let code = errno
            close(descriptor)
            throw .file(action: "listen at", path: path, code: code)
        }
        listener = descriptor
    }

    deinit {
        hangUp()
        close(listener)
        unlink(path)
    }

    // MARK: Connecting

    /// Takes who has connected. There is one reader at a time, the latest: a service opens a track anew before it closes what
    /// it has only looked at.
    ///
    /// - Returns: whether there is another reader now.
    func accept() -> Bool {
        var isNew = false
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { return isNew }
            guard admits(descriptor) else {
                close(descriptor)
                continue
            }
            hangUp()
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            (connection, isNew) = (descriptor, true)
        }
    }

    private func admits(_ descriptor: Int32) -> Bool {
        var credentials = SocketAdmission.Credentials(repeating: .max)
        var groups = SocketAdmission.Groups(repeating: 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return false }
        size = socklen_t(MemoryLayout.size(ofValue: groups))
        if getsockopt(descriptor, SOL_SOCKET, Self.peerGroups, &groups, &size) != 0 {
            groups = SocketAdmission.Groups(repeating: 0)
        }
        return admission.admits(credentials, groups)
    }

    /// Whether the reader is gone. It has nothing to say: what it sends is thrown away.
    func readerIsGone() -> Bool {
        guard let connection else { return false }
        var bytes: InlineArray<256, UInt8> = .init(repeating: 0)
        for _ in 0..<16 {
            let count = recv(connection, &bytes, 256, Int32(MSG_DONTWAIT))
            if count == 0 { return true }
            if count < 0 { return errno != EAGAIN && errno != EINTR }
        }
        return false
    }

    /// Closes the connection: the reader sees the end.
    func hangUp() {
        if let connection { close(connection) }
        (connection, rest, wantsToWrite) = (nil, [], false)
    }

    // MARK: Sending

    /// Sends what the reader takes now.
    ///
    /// - Returns: whether the reader is still there.
    func send(_ ring: borrowing PCMRing) -> Bool {
        wantsToWrite = false
        guard sendRest() else { return false }
        while !wantsToWrite {
            let samples = ring.readableSpan(limit: 16_384)
            guard !samples.isEmpty else { return true }
            guard let frames = send(UnsafeRawBufferPointer(samples)) else { return false }
            ring.consume(frames)
        }
        return true
    }

    /// Sends silence, as much of it as the reader takes now.
    ///
    /// - Returns: whether the reader is still there.
    func sendSilence(frames: Int) -> Bool {
        guard frames > 0 else { return true }
        wantsToWrite = false
        guard sendRest() else { return false }
        guard !wantsToWrite else { return true }
        let zeros = [Float](repeating: 0, count: 2 * frames)
        return zeros.withUnsafeBytes { send($0) } != nil
    }

    private func sendRest() -> Bool {
        guard !rest.isEmpty else { return true }
        guard let count = rest.withUnsafeBytes({ write($0) }) else { return false }
        rest.removeFirst(count)
        wantsToWrite = !rest.isEmpty
        return true
    }

    /// - Returns: frames that are sent, a last one in part; nil when the reader is gone.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let count = write(bytes) else { return nil }
        wantsToWrite = count < bytes.count
        let frame = 2 * MemoryLayout<Float>.size
        let whole = (count + frame - 1) / frame
        rest = Array(bytes[count..<(whole * frame)])
        return whole
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let connection else { return nil }
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        let count = Glibc.send(connection, bytes.baseAddress, bytes.count, flags)
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }
}
