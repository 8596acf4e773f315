import ArgumentParser
import Glibc
import TuttiCommandLine
import TuttiHost

/// `tutti`: plays the same sound in many rooms.
@main
struct Tutti: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tutti",
        abstract: "Plays the same sound in many rooms, in sync.",
        discussion: """
            `tutti play` streams files, folders, web addresses or standard input to the rooms that you name with \
            --room. It stays in the foreground until the music ends; ^C stops all rooms. Use the other commands in a \
            second terminal to control it.

            If the service runs (`tutti serve`), `tutti play` passes the work to it. The music then keeps playing \
            when the command ends, and several groups of rooms can play at once.

            `tutti --host HOST COMMAND` gives a command to the service of another host; see `tutti help host`.

            EXAMPLES
              tutti rooms
              tutti play ~/Music/Bach --room kitchen --room bath
              tutti play song.flac --room kitchen@10.0.0.7
              tutti play song.flac --here --room kitchen
              tutti group set downstairs kitchen bath
              tutti play song.flac --group downstairs
              tutti pause; tutti seek 1:30; tutti volume kitchen +5; tutti mute bath
              tutti rate 1.5
              tutti add ~/Music/Haydn; tutti insert song.flac; tutti move 7 2; tutti queue
              tutti shuffle; tutti repeat all; tutti crossfade 5
              tutti loudness ~/Music; tutti normalise album; tutti night on
              tutti library add ~/Music; tutti search miles; tutti browse albums --by added
              tutti play film.mkv --screen tv --audio-track de --subtitle en
              tutti audio 2; tutti subtitle off; tutti chapter next
              tutti say gong.wav --group downstairs
              tutti serve
              tutti library add ~/Music; tutti search miles; tutti play 'album:kind of blue'
              tutti station add jazz https://radio.example/jazz.mp3; tutti play station:jazz
              tutti playlist save dinner; tutti play playlist:dinner
              tutti at mon-fri 07:00 play station:jazz --room bedroom --fade 1m
              tutti sleep 30m
              tutti render song.flac -o hall.flac --reverb largeHall:30

            EXIT STATUS
              0 done   1 failed   2 wrong usage   3 no such room, group, input or output
              4 refused   5 nothing is playing

            FILES
              $XDG_CONFIG_HOME/tutti/tutti.yaml, /etc/tutti/tutti.yaml
                  defaults: rooms, codec, bitrate, crossfade, normalise, groups.NAME
              $XDG_STATE_HOME/tutti/tutti.sqlite (root: /var/lib/tutti)
                  groups, this sender's id, queues, schedules, stations, playlists, and the volume of --here
              library.sqlite beside it
                  the music library
              trust/ beside it
                  this sender's key and its household
              $XDG_RUNTIME_DIR/tutti/control.sock (root: /run/tutti)
                  the socket on which the player or the service takes commands

            Options override the environment (TUTTI_CODEC, TUTTI_BITRATE, TUTTI_CROSSFADE, TUTTI_ROOMS, TUTTI_GROUP), \
            which overrides the files. TUTTI_HOST stands for --host.
            """,
        version: ProgramVersion.current,
        subcommands: [
            PlayCommand.self, SayCommand.self, StatusCommand.self, PauseCommand.self, ResumeCommand.self,
            ToggleCommand.self, StopCommand.self, SeekCommand.self, VolumeSubcommand.self, MuteCommand.self,
            RateCommand.self, NextCommand.self, PreviousCommand.self,
            QueueCommand.self, AddCommand.self, InsertCommand.self, MoveCommand.self, RemoveCommand.self,
            ReplaceCommand.self, JumpCommand.self, ClearCommand.self, ShuffleCommand.self, RepeatCommand.self,
            ConsumeCommand.self, CrossfadeCommand.self, NormaliseCommand.self, NightCommand.self, LoudnessCommand.self,
            LibraryCommand.self, SearchCommand.self, BrowseCommand.self, FavouriteCommand.self, PlaylistCommand.self,
            ReferenceSubcommand.self, AudioCommand.self, SubtitleCommand.self, ChapterCommand.self,
            RoomsCommand.self, RoomCommand.self, StereoCommand.self, PairCommand.self, HouseholdCommand.self,
            TokenCommand.self, HostCommand.self, GroupCommand.self, StationCommand.self,
            WatchCommand.self, ArtworkCommand.self, ProbeCommand.self, DoctorCommand.self, DelayCommand.self,
            CalibrateCommand.self,
            MeasureCommand.self, RenderCommand.self, ServeCommand.self, AtCommand.self, SleepCommand.self,
            SimulateCommand.self,
        ])

    static func main() async {
        let words: [String]
        do {
            words = try await Remote.prepare(Array(CommandLine.arguments.dropFirst()))
        } catch {
            Terminal.error("\(error)")
            Glibc.exit((error as? any ProgramFailure)?.exitCode ?? 1)
        }
        await runProgram(words)
    }
}
