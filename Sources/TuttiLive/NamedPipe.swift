import Glibc
package import TuttiAssets

/// Named pipes that other programs write to.
enum NamedPipe {
    /// Makes one that the group may write to, whatever the umask is.
    static func make(_ path: String) -> Bool {
        guard mkfifo(path, 0o660) == 0 else { return errno == EEXIST }
        chmod(path, 0o660)
        return true
    }
}

/// The named pipe of a live input, held open, but not read: many programs end when nobody has the other end, as between
/// two who read it in turn.
package final class HeldPipe: Sendable {
    private let descriptor: Int32

    /// Nil for an input that is none, and where there can be none; whoever reads it says why.
    package init?(_ address: LiveAddress) {
        guard case .pipe(let path) = address.source else { return nil }
        var status = stat()
        guard stat(path, &status) == 0 ? status.st_mode & S_IFMT == S_IFIFO : NamedPipe.make(path) else { return nil }
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }
}
