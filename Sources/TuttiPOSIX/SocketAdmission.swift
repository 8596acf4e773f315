import Glibc

/// Whom a Unix socket lets in: its owner, root, and the members of a group where the socket's folder lets a group in.
package struct SocketAdmission: Sendable, Equatable {
    /// Who listens.
    package var owner: UInt32
    /// The group whose members get in; nil for none.
    package var group: UInt32?

    /// What the socket says of who is at its other end: process, user and group (SO_PEERCRED).
    package typealias Credentials = InlineArray<3, UInt32>
    /// The other groups of that process (SO_PEERGROUPS); the rest is zero.
    package typealias Groups = InlineArray<256, UInt32>

    /// - Parameter group: nil for none; root's group counts as none, for zero fills what no group is in.
    package init(owner: UInt32, group: UInt32?) {
        self.owner = owner
        self.group = group == 0 ? nil : group
    }

    /// What the folder of a socket of this process says.
    package init(folder: String) {
        var status = stat()
        let letsGroupIn = stat(folder, &status) == 0 && status.st_mode & S_IXGRP != 0
        self.init(owner: geteuid(), group: letsGroupIn ? status.st_gid : nil)
    }

    /// The permissions of the socket.
    package var mode: UInt32 { group == nil ? 0o600 : 0o660 }

    /// Whether this process gets in.
    package func admits(_ credentials: Credentials, _ groups: Groups) -> Bool {
        let (user, primary) = (credentials[1], credentials[2])
        if user == owner || user == 0 { return true }
        guard let group else { return false }
        return primary == group || groups.indices.contains { groups[$0] == group }
    }
}
