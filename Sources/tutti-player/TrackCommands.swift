import ArgumentParser
import Foundation
import TuttiAssets
import TuttiCommandLine
import TuttiCore
import TuttiSchema
import TuttiSender

/// `tutti audio`.
struct AudioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audio", abstract: "Lists the audio tracks of the film that plays, or chooses one.",
        discussion: """
            Without a track, the command lists what the film has, and marks the track that plays with *.

            A track is a number of that list, or a language: an ISO 639 code of two or three letters, with or without \
            a region, such as de, ger, deu or pt-BR. `auto` plays what the film suggests. The change is heard within \
            half a second, at the same place.

            The choice also holds for the films that follow, until you choose otherwise, and over a restart of the \
            service. A film that lacks the track plays what it suggests, and a line says so.

            If what plays has no such track, nothing changes, and the exit status is 3.

            EXAMPLES
              tutti audio
              tutti audio 2
              tutti audio de --group downstairs
              tutti play film.mkv --audio-track de --subtitle en
            """)

    @Argument(help: ArgumentHelp("auto, a number or a language.", valueName: "track"))
    var track: String?

    @OptionGroup var target: GroupOption

    func run() throws {
        if let track {
            return _ = try target.steer(ControlRequest(.audio(try TrackText.choice(track, of: .audio))))
        }
        let status = try target.steer(ControlRequest(.status))
        Terminal.write(TrackText.audio(status))
    }
}

/// `tutti subtitle`.
struct SubtitleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subtitle", abstract: "Lists the subtitles of the film that plays, or chooses some.",
        discussion: """
            Without subtitles, the command lists those of the film and the files beside it that have its name \
            (film.srt, film.en.ass), and marks those that are on with *.

            Choose a number of that list, a language such as en or pt-BR, or a file named .srt, .ass, .ssa or .vtt. \
            `off` shows none. `auto` shows what the film suggests: foreign speech and signs in the language of the \
            sound, or else what it marks as its default.

            The choice also holds for the films that follow, until you choose otherwise, and over a restart of the \
            service; a file is for the film that plays alone. Subtitles are shown on screens; see `tutti help play`.

            If what plays has no such subtitles, nothing changes, and the exit status is 3.

            EXAMPLES
              tutti subtitle
              tutti subtitle off
              tutti subtitle en
              tutti subtitle ~/films/film.commentary.srt
            """)

    @Argument(
        help: ArgumentHelp("off, auto, a number, a language or a file.", valueName: "subtitles"),
        completion: .file(extensions: TrackChoice.fileEndings))
    var subtitle: String?

    @OptionGroup var target: GroupOption

    func run() throws {
        if let subtitle {
            return _ = try target.steer(ControlRequest(.subtitle(try TrackText.choice(subtitle, of: .subtitle))))
        }
        let status = try target.steer(ControlRequest(.status))
        Terminal.write(TrackText.subtitles(status))
    }
}

/// `tutti chapter`.
struct ChapterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chapter", abstract: "Lists the chapters of what plays, or goes to one.",
        discussion: """
            Without a chapter, the command lists the chapters of a film or an audiobook, and marks the current one \
            with *. Choose a number of that list, `next` or `previous`. `previous` goes to the beginning of the \
            chapter, and in its first 3 seconds to the chapter before.

            If there is no such chapter, nothing changes, and the exit status is 3.
            """)

    @Argument(
        help: ArgumentHelp("A number, next or previous.", valueName: "chapter"),
        completion: .list(["next", "previous"]))
    var chapter: String?

    @OptionGroup var target: GroupOption

    func run() throws {
        if let chapter {
            guard let place = ChapterTarget(parsing: chapter) else {
                throw Failure("\(chapter): a chapter is a number from 1, next or previous", exitCode: 2)
            }
            return _ = try target.steer(ControlRequest(.chapter(place)))
        }
        let status = try target.steer(ControlRequest(.status))
        Terminal.write(TrackText.chapters(status))
    }
}

/// Tracks and chapters as lines for people, and choices as people give them.
enum TrackText {
    /// What is chosen, with a file named so that the service finds it.
    ///
    /// - Throws: `ProgramFailure` with status 2 for what is no choice, 3 for a file that is not there.
    static func choice(_ text: String, of kind: TrackChoice.Kind) throws -> TrackChoice {
        let choice: TrackChoice
        do throws(TrackChoiceError) {
            choice = try TrackChoice(parsing: text, of: kind)
        } catch {
            throw Failure(error.description, exitCode: 2)
        }
        guard case .file(let path) = choice else { return choice }
        guard Remote.host == nil else {
            guard path.hasPrefix("/") else {
                throw Failure(
                    "\(path): with --host, name a file of that host from its root, as /films/film.srt", exitCode: 2)
            }
            return choice
        }
        guard FileManager.default.fileExists(atPath: path) else { throw AssetError.notFound(path) }
        return .file(path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path)
    }

    /// `* 2  ger  ac3, 6 channels  Director's commentary  (default)`.
    static func audio(_ status: PlayerStatus) -> String {
        let tracks = status.item?.tracks?.audio ?? []
        let rows = tracks.map { track in
            let channels = track.channels == 1 ? "1 channel" : "\(track.channels) channels"
            return row(
                track.on, "\(track.number)",
                [track.language ?? "-", "\(track.codec), \(channels)", track.title, track.default ? "(default)" : nil])
        }
        return text(rows, what: "audio tracks", chosen: status.queue.audioTrack)
    }

    static func subtitles(_ status: PlayerStatus) -> String {
        let tracks = status.item?.tracks?.subtitles ?? []
        let rows = tracks.map { track in
            let marks = [track.default ? "default" : nil, track.forced ? "forced" : nil].compactMap(\.self)
            return row(
                track.on, track.number.map { "\($0)" } ?? "-",
                [
                    track.language ?? "-", track.codec, track.title,
                    marks.isEmpty ? nil : "(\(marks.joined(separator: ", ")))", track.file,
                ])
        }
        let none = row(!tracks.contains(where: \.on), "off", [])
        return text(rows.isEmpty ? [] : [none] + rows, what: "subtitles", chosen: status.queue.subtitle)
    }

    static func chapters(_ status: PlayerStatus) -> String {
        guard let tracks = status.item?.tracks, !tracks.chapters.isEmpty else { return "no chapters\n" }
        let current = tracks.chapter(at: status.position)
        return tracks.chapters.map { chapter in
            row(chapter == current, "\(chapter.number)", [StatusText.time(chapter.start), chapter.title]) + "\n"
        }.joined()
    }

    private static func row(_ isOn: Bool, _ number: String, _ parts: [String?]) -> String {
        ([(isOn ? "* " : "  ") + number] + parts.compactMap(\.self)).joined(separator: "  ")
    }

    private static func text(_ rows: [String], what: String, chosen: String?) -> String {
        guard rows.isEmpty else { return rows.map { $0 + "\n" }.joined() }
        return "no \(what) to choose from; chosen: \(chosen ?? TrackChoice.automatic.description)\n"
    }
}
