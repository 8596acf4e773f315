/// What the server keeps of one client from command to command.
package struct MPDClient: Sendable, Equatable {
    /// The partition that clients begin in.
    package static let usualPartition = "default"

    /// Tells clients apart; never used twice.
    package let number: UInt64
    package var permissions: MPDPermissions
    /// The name of its partition.
    package var partition = Self.usualPartition
    /// The tags that it wants to be told.
    package var tags = MPDTag.all
    /// Bytes of a picture that it takes in one answer.
    package var binaryLimit = MPDLimits.binary
    /// How often it has given a wrong password.
    package var wrongPasswords = 0

    package init(number: UInt64, permissions: MPDPermissions) {
        (self.number, self.permissions) = (number, permissions)
    }
}

/// Commands that are carried out in one go, away from the connection.
package struct MPDJob: Sendable, Equatable {
    /// How its parts are answered.
    package enum Kind: Sendable {
        /// It is one command.
        case one
        /// A list that is answered as a whole.
        case list
        /// A list whose commands are each followed by `list_OK`.
        case okList
    }

    package var kind: Kind
    /// The commands, a line each.
    package var lines: [[UInt8]]
    /// Whose they are.
    package var client: MPDClient

    package init(_ kind: Kind, _ lines: [[UInt8]], of client: MPDClient) {
        (self.kind, self.lines, self.client) = (kind, lines, client)
    }
}

/// What came of a job.
package struct MPDOutcome: Sendable, Equatable {
    /// The whole answer, up to its last line.
    package var output: [UInt8]
    /// The client after it.
    package var client: MPDClient
    /// Whether the connection ends with it.
    package var closes = false
    /// What others are to be told.
    package var changes: [MPDChange] = []

    package init(_ output: [UInt8], _ client: MPDClient) { (self.output, self.client) = (output, client) }
}

/// Something that clients who wait in `idle` are told.
package struct MPDChange: Sendable, Equatable {
    /// Whom it concerns.
    package enum Scope: Sendable, Hashable {
        case everybody
        /// Those in a partition.
        case partition(String)
        /// One client.
        case client(UInt64)
    }

    package var subsystems: MPDSubsystems
    package var scope: Scope

    package init(_ subsystems: MPDSubsystems, _ scope: Scope = .everybody) {
        (self.subsystems, self.scope) = (subsystems, scope)
    }
}
