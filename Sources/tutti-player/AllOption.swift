import ArgumentParser
import TuttiSchema
import TuttiSender

/// For commands that can be given to all groups at once.
struct AllOption: ParsableArguments {
    @Flag(help: "All groups that play.")
    var all = false

    /// The request, for all groups where that is wanted.
    ///
    /// - Throws: `ValidationError` when a group is named too.
    func of(_ request: ControlRequest, _ target: GroupOption) throws -> ControlRequest {
        guard all else { return request }
        guard target.group == nil, request.room == nil else {
            throw ValidationError("give --all, or name a group or a room")
        }
        var request = request
        request.target = .all
        return request
    }
}
