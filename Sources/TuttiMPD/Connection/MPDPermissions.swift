/// What a client may do.
package struct MPDPermissions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// See what plays and what there is.
    package static let read = Self(rawValue: 1)
    /// Add to the queue.
    package static let add = Self(rawValue: 2)
    /// Control what plays.
    package static let control = Self(rawValue: 4)
    /// Change groups and rooms.
    package static let admin = Self(rawValue: 8)

    package static let all: Self = [.read, .add, .control, .admin]

    /// Reads words between commas; nil if one is none.
    package init?(words: Substring) {
        self = []
        for word in words.split(separator: ",", omittingEmptySubsequences: false) {
            switch word {
            case "read": insert(.read)
            case "add": insert(.add)
            case "control": insert(.control)
            case "admin": insert(.admin)
            default: return nil
            }
        }
    }
}

/// Who may do what.
package struct MPDPasswords: Sendable, Equatable {
    private var entries: [(password: [UInt8], permissions: MPDPermissions)] = []

    /// Nobody needs a password.
    package init() {}

    /// Reads a file: a password a line, with what it permits after the last `@` (`read`, `add`, `control`, `admin`
    /// between commas); without that, everything.
    package init(text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            var (password, permissions) = (line[...], MPDPermissions.all)
            if let mark = line.lastIndex(of: "@"), let some = MPDPermissions(words: line[line.index(after: mark)...]) {
                (password, permissions) = (line[..<mark], some)
            }
            if !password.isEmpty { entries.append((Array(password.utf8), permissions)) }
        }
    }

    /// Whether there is none.
    package var isEmpty: Bool { entries.isEmpty }

    /// What a client may do that has given none.
    package var withoutPassword: MPDPermissions { isEmpty ? .all : [] }

    /// What a password permits; nil for a wrong one. All are compared as long as it takes, whatever differs.
    package func permissions(for password: String) -> MPDPermissions? {
        let given = Array(password.utf8)
        var found: MPDPermissions?
        for entry in entries {
            var difference = UInt64(truncatingIfNeeded: entry.password.count ^ given.count)
            for (index, byte) in entry.password.enumerated() {
                difference |= UInt64(byte ^ (index < given.count ? given[index] : 0))
            }
            if difference == 0 { found = entry.permissions }
        }
        return found
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.entries.elementsEqual(other.entries) { $0.password == $1.password && $0.permissions == $1.permissions }
    }
}
