package import TuttiTrust

/// What somebody who was let in may do.
package struct Permit: Sendable, Equatable {
    package var scope: TokenScope
    /// The only group that it may be done with, and its rooms; nil without such a limit. Who has one is a guest.
    package var group: String?
    /// When it ends, in seconds since 1970; nil if it does not.
    package var until: Int64?
    /// Whether a token says so, and not the place alone.
    package var isByToken = false

    package init(scope: TokenScope, group: String? = nil, until: Int64? = nil, isByToken: Bool = false) {
        self.scope = scope
        self.group = group
        self.until = until
        self.isByToken = isByToken
    }

    /// Everything, as on the service's own host.
    package static let all = Permit(scope: .admin)
    /// What everybody may see: the page's files. No group has this name.
    static let nothing = Permit(scope: .listen, group: "")
}
