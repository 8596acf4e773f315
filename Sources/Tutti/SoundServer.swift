import Glibc
import TuttiHost

/// The sound servers that ALSA has plugins for. The plugins are listed wherever they are installed, whether a server
/// runs or not.
package enum SoundServer: String, CaseIterable {
    case pulse
    case jack
    case pipewire

    /// Whether one answers, of this user or of the host.
    package func isRunning(environment: [String: String], user: UInt32 = getuid()) -> Bool {
        let runtime = environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(user)"
        let pipewire = (environment["PIPEWIRE_RUNTIME_DIR"] ?? runtime) + "/pipewire-0"
        switch self {
        case .pipewire: return Self.answers(pipewire)
        case .pulse:
            if let server = environment["PULSE_SERVER"], !server.isEmpty { return true }
            let folders = [environment["PULSE_RUNTIME_PATH"], runtime + "/pulse", "/run/pulse"]
            return folders.compactMap(\.self).contains { Self.answers($0 + "/native") }
        case .jack:
            // PipeWire takes JACK's place where it is installed.
            let name = environment["JACK_DEFAULT_SERVER"] ?? "default"
            return Self.answers("/dev/shm/jack_\(name)_\(user)_0") || Self.answers(pipewire)
        }
    }

    /// Whether somebody listens at a socket of this host; a file that was left behind is nobody.
    static func answers(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 || errno == EAGAIN
            }
        }
    }
}
