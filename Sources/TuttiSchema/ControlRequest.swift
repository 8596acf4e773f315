package import TuttiChain

/// One line from a controller to a player or a service: `{"command": …}`.
package struct ControlRequest: Sendable, Equatable {
    /// What is asked for.
    package enum Command: Sendable, Equatable {
        /// Something that one player does, or all of them.
        case player(PlayerCommand)
        /// How it stands.
        case status
        /// How loud a room is, or all rooms with nil. On the wire it is `volume` without a volume.
        case levels(room: String?)
        /// The whole queue, with the answer.
        case queue
        /// Events from now on, a line each, after the answer.
        case watch
        /// For a service: plays something. `name` is what the group is to be called. With `detach` the answer comes
        /// when it plays, and no events after it.
        case play(PlayOrder, name: String?, detach: Bool)
        /// For a service: an announcement.
        case say(PlayOrder, detach: Bool)
        /// For a service: plays something later. `when` is as `Schedule` reads it.
        case at(when: String, PlayOrder, name: String?)
        /// For a service: what is to be played later.
        case schedules
        /// For a service: cancels the schedules of these numbers.
        case cancel([Int])
        /// For a service: the seconds until the group ends, 0 for never; nil to be told how many are left.
        case sleep(seconds: Double?)
        /// For a service: what the sound of a room goes through; with an edit, to change it first. Files that the edit
        /// names are the service's host's.
        case effects(room: String, EffectEdit?)
        /// For a service: has the sound of a room go through what a file of the service's host describes: a chain, or the
        /// impulse response of a convolution.
        case effectsFile(room: String, path: String)
        /// For a service: has two rooms play one side each, or both sides again.
        case stereo(left: String, right: String, isPair: Bool)
        /// For a service: the named groups of rooms.
        case group(GroupCommand)
        /// For a service: radio stations by name.
        case station(StationCommand)
        /// For a service: the music library.
        case library(LibraryCommand)
        /// For a service: playlists by name.
        case playlist(PlaylistCommand)
    }

    /// Which of the groups that play is meant.
    package enum Target: Sendable, Hashable {
        /// The only one, or the one that has the room.
        case usual
        /// The one of this name.
        case group(String)
        /// All of them, for commands that all can be given.
        case all
    }

    /// The word for a command, in the field `command`.
    package enum Word: String, Sendable, Codable, CaseIterable {
        case status, pause, resume, toggle, stop, seek, volume, mute, rate, delay, name, next, previous
        case queue, add, insert, remove, move, replace, clear, jump, shuffle, `repeat`, consume
        case crossfade, normalise, night, reference, watch, audio, subtitle, chapter
        case play, say, at, schedules, cancel, sleep, group, effects, stereo, station, library, playlist

        /// Whether all groups can be meant at once.
        package var isForAll: Bool {
            switch self {
            case .pause, .resume, .toggle, .stop, .mute, .volume, .watch: true
            default: false
            }
        }
    }

    /// What is asked for.
    package var command: Command
    /// Which of the groups that play is meant.
    package var target: Target

    /// A request.
    ///
    /// - Parameter group: the group that is meant; nil for the usual one.
    package init(_ command: Command, group: String? = nil) {
        self.command = command
        target = group.map { .group($0) } ?? .usual
    }

    /// A request to a player.
    ///
    /// - Parameter group: the group that is meant; nil for the usual one.
    package init(_ command: PlayerCommand, group: String? = nil) { self.init(.player(command), group: group) }

    /// The longest line, in bytes: some hundred thousand pieces at once.
    package static let limit = 64 << 20
}

extension ControlRequest {
    /// The word for its command.
    package var word: Word {
        switch command {
        case .player(let command): command.word
        case .status: .status
        case .levels: .volume
        case .queue: .queue
        case .watch: .watch
        case .play: .play
        case .say: .say
        case .at: .at
        case .schedules: .schedules
        case .cancel: .cancel
        case .sleep: .sleep
        case .group: .group
        case .station: .station
        case .library: .library
        case .playlist: .playlist
        case .effects, .effectsFile: .effects
        case .stereo: .stereo
        }
    }

    /// Seconds that its answer may take: rooms and inputs of something new are checked first, and it has to sound.
    package var patience: Int {
        switch word {
        case .play, .say, .at, .resume, .toggle, .group, .effects, .stereo, .library, .playlist: 60
        default: 15
        }
    }

    /// The group that is named.
    package var group: String? { if case .group(let name) = target { name } else { nil } }

    /// The room that it is about; nil for all of them, or where it is about none.
    package var room: String? {
        switch command {
        case .player(let command): command.room
        case .levels(let room): room
        case .effects(let room, _), .effectsFile(let room, _): room
        default: nil
        }
    }

    /// Has a volume for all rooms of a group set that of the loudest, and the others keep their distance to it.
    package mutating func keepBalance() {
        if case .player(.volume(.to(let volume), room: nil)) = command {
            command = .player(.volume(.balanced(volume), room: nil))
        }
    }

    /// Whether it is answered when something plays, and no events follow.
    package var detaches: Bool {
        switch command {
        case .play(_, _, let detach), .say(_, let detach): detach
        default: false
        }
    }

    /// Where, and how, it is to be done if nothing plays there.
    package var place: PlayOrder? { if case .player(let command) = command { command.place } else { nil } }
}
