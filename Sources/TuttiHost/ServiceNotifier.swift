import Glibc

/// Tells systemd how a service is doing, as `sd_notify(3)` says; nothing where nobody asked for it.
package struct ServiceNotifier: Sendable {
    /// Microseconds within which signs of life are wanted; nil where none are.
    package let watchdogMicroseconds: UInt64?
    private let path: String?

    /// A notifier for the socket that `environment` names.
    package init(environment: [String: String], processID: Int32 = getpid()) {
        path = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(processID)" } ?? true
        watchdogMicroseconds =
            isMeant ? environment["WATCHDOG_USEC"].flatMap(UInt64.init).flatMap { $0 > 0 ? $0 : nil } : nil
    }

    /// Between two words about how it goes, if nobody wants them more often.
    private static let interval = Duration.seconds(5)

    /// Says again and again, until the task is cancelled, how the service is doing. No sign of life without an answer
    /// from `status`.
    package func report(_ status: () async -> String) async {
        guard path != nil else { return }
        let wanted = watchdogMicroseconds.map { Duration.microseconds(Int64(clamping: $0 / 2)) }
        while !Task.isCancelled {
            tell("STATUS=\(await status())", "WATCHDOG=1")
            try? await Task.sleep(for: min(wanted ?? Self.interval, Self.interval))
        }
    }

    /// Sends lines of `NAME=value`, such as `READY=1`.
    ///
    /// - Returns: whether somebody got them.
    @discardableResult
    package func tell(_ lines: String...) -> Bool {
        guard let path else { return false }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        // A name that is in no file system.
        if path.hasPrefix("@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? MemoryLayout<sa_family_t>.size
        let length = socklen_t(offset + bytes.count)
        let text = Array(lines.joined(separator: "\n").utf8)
        let sent = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
        return sent == text.count
    }
}
