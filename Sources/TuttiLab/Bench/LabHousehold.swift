/// The household of a laboratory's senders.
///
/// A speaker belongs to the household that plays on it first. Each state folder makes a household of its own at first
/// use, so senders with folders of their own that are to play in the same rooms are made one here. A sender whose store
/// was copied to another host has its household in it.
package enum LabHousehold {
    /// Nothing secret: the file is in the laboratory's folder, and so are the keys.
    private static let passphrase = "the laboratory's household"

    /// Makes one sender a member of another's household, by the commands that people use.
    ///
    /// - Parameters:
    ///   - member: the environment of the sender whose household it is; it is made if there is none yet.
    ///   - newcomer: the environment of the sender that joins; it has played nothing yet.
    ///   - folder: where the household is on its way from one to the other.
    package static func share(
        of member: [String: String], with newcomer: [String: String], folder: String, programs: LabPrograms
    ) throws(LabError) {
        let file = "\(folder)/household.json"
        try command(["export", file], as: member, programs)
        try command(["import", file], as: newcomer, programs)
    }

    private static func command(
        _ arguments: [String], as sender: [String: String], _ programs: LabPrograms
    ) throws(LabError) {
        let environment = sender.map { "\($0.key)=\($0.value)" }
        try Tool.run(["env"] + environment + [programs.tutti, "household"] + arguments, input: [passphrase])
    }
}
