/// What one case gave with one system.
package struct BenchResult: Sendable, Codable {
    /// The case's name.
    package var name: String
    /// "tutti", or Snapcast with its version.
    package var system: String
    package var seed: UInt64
    /// How the sender ended; nil when it was stopped on purpose.
    package var exitCode: Int32?
    /// The rooms against each other and the source; nil when the case does not play to the end.
    package var comparison: ComparisonReport?
    /// From the command to the first sound of the last room, ms.
    package var commandToSoundMilliseconds: Double?
    /// From the command until every room held the whole song, ms.
    package var loadedMilliseconds: Double?
    /// The processes while the song plays and nothing is loaded any more.
    package var loads: [ProcessLoad] = []
    /// What `tutti status --json` said, once a line, in this file.
    package var statusFile: String?
    package var network: SwitchStatistics?
    /// Why there is no result.
    package var failure: String?

    package init(name: String, system: String, seed: UInt64) {
        self.name = name
        self.system = system
        self.seed = seed
    }
}
