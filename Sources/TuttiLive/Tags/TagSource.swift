import Glibc
package import TuttiAssets
import TuttiHost

/// Reads what a live source says that it plays, from a named pipe or from whoever connects; opened again where it ends
/// or is replaced. Used by one thread.
package final class TagSource {
    /// Programs that are connected at once.
    private static let mostClients = 8
    /// Bytes that are read at once.
    private static let chunk = 65_536
    /// Milliseconds between two attempts to open it.
    private static let rest: Int32 = 1_000

    private enum Place {
        case closed
        case pipe(Int32, any TagParser)
        case listener(Int32, clients: [(descriptor: Int32, parser: any TagParser)])
    }

    private let address: TagAddress
    private var place = Place.closed
    private var trouble: String?

    package init(_ address: TagAddress) { self.address = address }

    deinit { close() }

    /// Waits for what is said next, as long as told at most.
    package func read(milliseconds: Int32) -> [TagEvent] {
        switch place {
        case .closed: return open(milliseconds)
        case .pipe(let descriptor, let parser): return read(descriptor, parser, milliseconds)
        case .listener(let listener, let clients): return read(listener, clients, milliseconds)
        }
    }

    // MARK: Opening

    private func open(_ milliseconds: Int32) -> [TagEvent] {
        do throws(Refusal) {
            place =
                address.listens
                ? .listener(try listen(), clients: []) : .pipe(try openPipe(), address.kind.parser)
            trouble = nil
            return []
        } catch {
            Pause.milliseconds(min(milliseconds, Self.rest))
            defer { trouble = error.reason }
            return trouble == error.reason ? [] : [.remark("\(address.path): \(error.reason); it is tried again")]
        }
    }

    /// A pipe, made where there is none. Open for both directions it does not end with its writer.
    private func openPipe() throws(Refusal) -> Int32 {
        var status = stat()
        if stat(address.path, &status) != 0 {
            guard errno == ENOENT, NamedPipe.make(address.path) else { throw .system }
        } else if status.st_mode & S_IFMT != S_IFIFO {
            throw Refusal("this is no named pipe")
        }
        var descriptor = Glibc.open(address.path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        // Another user's may be readable alone.
        if descriptor < 0, errno == EACCES { descriptor = Glibc.open(address.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .system }
        return descriptor
    }

    private func listen() throws(Refusal) -> Int32 {
        var status = stat()
        if lstat(address.path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFSOCK else { throw Refusal("something else is there") }
            // A program that was killed leaves its socket.
            unlink(address.path)
        }
        let descriptor = try Endpoint.unix(address.path).listening()
        // The umask of whoever starts this may be narrower.
        chmod(address.path, 0o660)
        return descriptor
    }

    private func close() {
        switch place {
        case .closed: break
        case .pipe(let descriptor, _): Glibc.close(descriptor)
        case .listener(let listener, let clients):
            for client in clients { Glibc.close(client.descriptor) }
            Glibc.close(listener)
            unlink(address.path)
        }
        place = .closed
    }

    // MARK: A pipe

    private func read(_ descriptor: Int32, _ parser: any TagParser, _ milliseconds: Int32) -> [TagEvent] {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, milliseconds) > 0 else {
            if !isStillThere(descriptor) { close() }
            return []
        }
        var parser = parser
        guard let bytes = Self.bytes(descriptor) else {
            close()
            Pause.milliseconds(min(milliseconds, Self.rest))
            return parser.end()
        }
        let events = parser.take(bytes)
        place = .pipe(descriptor, parser)
        return events
    }

    /// Whether the path still leads to the pipe that is open: a program may make its own anew.
    private func isStillThere(_ descriptor: Int32) -> Bool {
        var (open, named) = (stat(), stat())
        return fstat(descriptor, &open) == 0 && stat(address.path, &named) == 0
            && (open.st_dev, open.st_ino) == (named.st_dev, named.st_ino)
    }

    // MARK: A socket

    private func read(
        _ listener: Int32, _ clients: [(descriptor: Int32, parser: any TagParser)], _ milliseconds: Int32
    ) -> [TagEvent] {
        var requests = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        requests += clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&requests, nfds_t(requests.count), milliseconds) > 0 else { return [] }
        var (kept, events) = (clients, [TagEvent]())
        kept.removeAll()
        for (client, request) in zip(clients, requests.dropFirst()) {
            var client = client
            guard request.revents != 0 else {
                kept.append(client)
                continue
            }
            if let bytes = Self.bytes(client.descriptor) {
                events += client.parser.take(bytes)
                kept.append(client)
            } else {
                events += client.parser.end()
                Glibc.close(client.descriptor)
            }
        }
        if requests[0].revents != 0 { admit(from: listener, &kept) }
        place = .listener(listener, clients: kept)
        return events
    }

    private func admit(from listener: Int32, _ clients: inout [(descriptor: Int32, parser: any TagParser)]) {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        guard clients.count < Self.mostClients else {
            Glibc.close(descriptor)
            return
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        clients.append((descriptor, address.kind.parser))
    }

    /// What is there; nil where the writer has gone.
    private static func bytes(_ descriptor: Int32) -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, initialized in
            count = Glibc.read(descriptor, buffer.baseAddress, chunk)
            initialized = max(0, count)
        }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
        return count == 0 ? nil : bytes
    }
}
