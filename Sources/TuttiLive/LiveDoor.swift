import Glibc
import TuttiAssets
import TuttiHost
import TuttiOutput

/// Opens what live sound is read from, as often as it ends.
final class LiveDoor {
    private let address: LiveAddress
    private let clock: HostClock
    /// Where others connect to.
    private var listener: Int32 = -1

    init(_ address: LiveAddress, clock: HostClock) {
        self.address = address
        self.clock = clock
    }

    deinit { if listener >= 0 { close(listener) } }

    /// Opens it, if it is there.
    ///
    /// - Parameter milliseconds: how long a connection may take.
    /// - Returns: nil while nobody is there.
    /// - Throws: `Refusal` where it cannot be had.
    func open(milliseconds: Int32) throws(Refusal) -> (any LiveReader)? {
        switch address.source {
        case .card(let name):
            do {
                return try CardReader(name, latency: address.latency, clock: clock)
            } catch {
                // The unit of the package keeps all devices from it, so that nobody listens in without being let.
                let isShut = access("/dev/snd", F_OK) != 0
                throw Refusal(
                    isShut ? "\(error); to let an installed service open cards, see docs/live.md" : error.description)
            }
        case .pipe(let path): return StreamReader(try Self.pipe(path), format: address.format, clock: clock)
        case .program(let command):
            do {
                let (program, output) = try LiveProgram.start(command)
                return StreamReader(output, format: address.format, clock: clock, held: program)
            } catch {
                throw Refusal("cannot start: \(HostError.text(ofErrno: error.code))")
            }
        case .socket(let path):
            let descriptor = try Endpoint.unix(path).connected(milliseconds)
            return StreamReader(descriptor, format: address.format, clock: clock)
        case .node(let node):
            guard let path = SoundFolder.findSocket(of: node) else {
                throw Refusal("it is not there, or no `tutti-pipewire --input \(node)` offers it")
            }
            let descriptor = try Endpoint.unix(path).connected(milliseconds)
            return StreamReader(descriptor, format: address.format, clock: clock)
        case .connection(let host, let port):
            let descriptor = try Endpoint.internet(host, port).connected(milliseconds)
            return StreamReader(descriptor, format: address.format, clock: clock)
        case .listener(let host, let port):
            if listener < 0 { listener = try Endpoint.internet(host, port).listening() }
            var request = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, milliseconds) > 0 else { return nil }
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { return nil }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return StreamReader(descriptor, format: address.format, clock: clock)
        }
    }

    /// A pipe, made where there is none. It is opened for both directions: so it does not end with its writer, and
    /// the next one may come.
    private static func pipe(_ path: String) throws(Refusal) -> Int32 {
        var status = stat()
        if stat(path, &status) != 0 {
            guard errno == ENOENT, NamedPipe.make(path) else { throw .system }
        } else if status.st_mode & S_IFMT != S_IFIFO {
            throw Refusal("this is no named pipe; play files without `pipe:`")
        }
        let descriptor = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system }
        drain(descriptor)
        return descriptor
    }

    /// What was written before anybody listened is not live. What a program writes meanwhile, to whom there is room now,
    /// is.
    private static func drain(_ descriptor: Int32) {
        var left: Int32 = 0
        guard ioctl(descriptor, UInt(FIONREAD), &left) == 0 else { return }
        var waste = [UInt8](repeating: 0, count: 64 << 10)
        while left > 0 {
            let count = read(descriptor, &waste, min(waste.count, Int(left)))
            guard count > 0 else { return }
            left -= Int32(count)
        }
    }
}

/// Why live sound cannot be had where it should be.
struct Refusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    /// What `errno` says.
    static var system: Refusal { Refusal(HostError.text(ofErrno: errno)) }
}
