import ArgumentParser
import TuttiHost
import TuttiSender

/// Which of the groups that play a command is for.
struct GroupOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The group that is meant, where several play. (default: $TUTTI_GROUP)", valueName: "name"))
    var group: String?

    /// The group; nil for the only one.
    var name: String? { group ?? ProcessEnvironment.current["TUTTI_GROUP"].flatMap { $0.isEmpty ? nil : $0 } }

    /// Sends a request to the player of this user that plays in the group.
    @discardableResult
    func steer(_ request: ControlRequest) throws -> PlayerStatus {
        var request = request
        request.group = name
        do {
            return try Self.client.send(request)
        } catch {
            throw Failure(error)
        }
    }

    /// Asks whoever runs for this user.
    static var client: ControlClient { ControlClient(runtimeDirectory: Settings.paths.runtimeDirectory) }
}
