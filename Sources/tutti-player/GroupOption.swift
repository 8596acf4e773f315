import ArgumentParser
import TuttiHost
import TuttiSchema
import TuttiSender

/// Which of the groups that play a command is for.
struct GroupOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The group that you mean, if several play. (default: $TUTTI_GROUP)", valueName: "name"),
        completion: NameCompletion.groups)
    var group: String?

    /// The group; nil for the only one.
    var name: String? { group ?? ProcessEnvironment.current["TUTTI_GROUP"].flatMap { $0.isEmpty ? nil : $0 } }

    /// Sends a request to the player of this user that plays in the group.
    @discardableResult
    func steer(_ request: ControlRequest) throws -> PlayerStatus {
        var request = request
        if request.target != .all { request.target = name.map { .group($0) } ?? .usual }
        return try StepIn.send(request)
    }

    /// Where something is to wait that nothing plays yet: the group that is named, or the usual rooms; nil without any.
    func order(_ settings: PlayerSettings) throws -> PlayOrder? {
        var order = PlayOrder(inputs: [])
        if let name {
            (order.rooms, order.groups) = try settings.places(rooms: [], groups: [name])
            return order
        }
        order.rooms = try settings.value(SenderSetting.rooms) ?? []
        return order.rooms.isEmpty ? nil : order
    }

    /// Asks the player or the service of this user.
    static var client: ControlClient { ControlClient(runtimeDirectory: PlayerSettings.paths.runtimeDirectory) }
}
