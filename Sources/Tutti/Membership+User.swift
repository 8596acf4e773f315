import TuttiHost
package import TuttiRooms
package import TuttiTrust

extension Membership {
    /// The place in the household of this user's senders, made at first use.
    ///
    /// - Parameter stateDirectory: where it is kept; nil for this user's folder.
    /// - Throws: `SenderError.system` when it can be neither read nor made.
    package static func ofUser(stateDirectory: String?) throws(SenderError) -> Membership {
        let directory = stateDirectory ?? StatePaths(environment: ProcessEnvironment.current).stateDirectory
        do {
            return try MembershipFolder(stateDirectory: directory).load(name: SenderIdentity.hostName())
        } catch {
            throw .system(error.description)
        }
    }
}
