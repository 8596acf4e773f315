import TuttiRemote

/// What groups are called on the bus: `org.mpris.MediaPlayer2.tutti.GROUP`.
package enum PlayerName {
    /// The name of a player that is no group of a service; all others begin with it.
    package static let base = "org.mpris.MediaPlayer2.tutti"

    /// The bus names of groups that are there at one time, by the groups' names, as `GroupLabel` has them.
    package static func names(ofGroups groups: [String]) -> [String: String] {
        GroupLabel.labels(ofGroups: groups).mapValues { $0.isEmpty ? base : "\(base).\($0)" }
    }
}
