import ArgumentParser
import TuttiSchema

/// Whether a command is for all groups that play, or for which of them.
struct AllOption: ParsableArguments {
    @OptionGroup var target: GroupOption

    @Flag(help: "Apply this to all groups that play.")
    var all = false

    /// Sends a request to the player of one group, or to those of all.
    @discardableResult
    func steer(_ request: ControlRequest) throws -> PlayerStatus {
        guard all else { return try target.steer(request) }
        guard target.group == nil, request.room == nil else {
            throw ValidationError("--all cannot be combined with a group or a room")
        }
        var request = request
        request.target = .all
        return try target.steer(request)
    }
}
