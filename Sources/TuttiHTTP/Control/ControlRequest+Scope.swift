package import TuttiSchema
package import TuttiTrust

extension ControlRequest {
    /// The token's scope that it takes.
    package var scope: TokenScope {
        switch command {
        case .status, .levels, .queue, .watch, .schedules, .group(.list), .station(.list), .sleep(seconds: nil),
            .effects(_, nil):
            .listen
        case .library(let command): command.isReading ? .listen : .control
        case .playlist(let command): command.isReading ? .listen : .control
        case .player, .play, .say, .at, .cancel, .sleep, .group, .effects, .effectsFile, .stereo, .station:
            .control
        }
    }

    /// Whether events follow an answer that it is done.
    var isFollowed: Bool {
        switch command {
        case .watch: true
        case .play, .say: !detaches
        default: false
        }
    }
}
