import ArgumentParser
import TuttiSchema
import TuttiSender

/// For commands that can apply to all groups at once.
struct AllOption: ParsableArguments {
    @Flag(help: "Apply this to all groups that play.")
    var all = false

    /// The request, for all groups if --all is given.
    ///
    /// - Throws: `ValidationError` when a group is named too.
    func of(_ request: ControlRequest, _ target: GroupOption) throws -> ControlRequest {
        guard all else { return request }
        guard target.group == nil, request.room == nil else {
            throw ValidationError("--all cannot be combined with a group or a room")
        }
        var request = request
        request.target = .all
        return request
    }
}
