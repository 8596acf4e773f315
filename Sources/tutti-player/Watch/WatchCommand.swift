import ArgumentParser
import Glibc
import TuttiCommandLine
import TuttiHost
import TuttiRooms
import TuttiSchema
import TuttiSender

/// `tutti watch`.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Shows what is playing until it ends.",
        discussion: """
            With --sync, it plots how far each room's sound is from where it should be, by the speakers' own \
            estimate. A column is half a second. ^C ends the view, not the music.
            """)

    @Flag(help: "Plot each room's sync error.")
    var sync = false

    @Flag(help: "Print events as lines of JSON; see docs/json.md.")
    var json = false

    @OptionGroup var target: GroupOption

    func run() throws {
        // Whoever reads this may have had enough, as in `tutti watch | head`.
        signal(SIGPIPE, SIG_DFL)
        try sync ? WatchSync(isJSON: json, group: target.name).run() : watch()
    }

    private func watch() throws(SenderError) {
        let watch = try ControlWatch(
            runtimeDirectory: PlayerSettings.paths.runtimeDirectory, request: ControlRequest(.watch, group: target.name)
        )
        let view = progressView(isJSON: json)
        let signals = WatchInterrupts.leave { view.finish() }
        defer { withExtendedLifetime(signals) {} }
        if let item = watch.status.item, !json { view.show(.item(item)) }
        if json {
            let event = ControlEvent(ControlEvent.Kind.progress(watch.status), group: watch.status.group)
            Terminal.write(json: event)
        } else {
            view.show(.progress(watch.status))
        }
        while let line = watch.next() {
            if json {
                Terminal.write(line + [UInt8(ascii: "\n")])
            } else if let event: ControlEvent = JSONLine.decode(line) {
                view.show(event.kind)
            }
        }
        view.finish()
    }
}
