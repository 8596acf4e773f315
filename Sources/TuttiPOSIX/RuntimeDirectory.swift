import Glibc

/// Where sockets are.
package enum RuntimeDirectory {
    /// `$RUNTIME_DIRECTORY` (systemd), `$XDG_RUNTIME_DIR/tutti`, `/run/tutti` for root, `/tmp/tutti-UID`; relative
    /// paths count as not set.
    ///
    /// Who may steer this host's service, and has no player of his own where his login has its sockets, means the
    /// service.
    package static func path(
        environment: [String: String], userID: UInt32, ofService service: String = "/run/tutti"
    ) -> String {
        func absolute(_ name: String) -> String? {
            // systemd separates several directories by colons; the first is ours.
            environment[name]?.split(separator: ":").first.flatMap { $0.hasPrefix("/") ? String($0) : nil }
        }
        if let directory = absolute("RUNTIME_DIRECTORY") { return directory }
        let login = absolute("XDG_RUNTIME_DIR")
        let own = login.map { $0 + "/tutti" } ?? (userID == 0 ? service : "/tmp/tutti-\(userID)")
        // Elsewhere somebody has put it, to be apart.
        guard login == nil || login == "/run/user/\(userID)" else { return own }
        let isServed = access(service + "/control.sock", W_OK) == 0
        return isServed && access(own + "/control.sock", F_OK) != 0 ? service : own
    }
}
