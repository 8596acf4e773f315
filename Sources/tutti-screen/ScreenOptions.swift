import ArgumentParser
import Glibc
import Tutti
import TuttiHost
import TuttiScreen
import TuttiSpeaker

/// The flags of `tutti-screen`.
struct ScreenOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The screen's name, as rooms have one. (default: this host's name and 'screen')"))
    var name: String?

    @Flag(help: "Fill the display.")
    var fullscreen = false

    @Option(help: ArgumentHelp("Which display, counted from 1. (default: the system's choice)", valueName: "number"))
    var display: Int?

    @Option(
        help: ArgumentHelp(
            "Where the sound goes: an ALSA PCM, file:PATH.wav, or null for nowhere.", valueName: "device"))
    var device = "null"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            How long the display takes to show a picture, in milliseconds: pictures are shown so much earlier. Kept. \
            (default: as stored, at first 0)
            """, valueName: "ms"))
    var delay: Double?

    @Option(help: ArgumentHelp("The TCP port to listen on; 0 chooses a free one.", valueName: "port"))
    var port: UInt16 = 7_720

    @Option(
        help: ArgumentHelp(
            "The folder for all state. (default: $XDG_STATE_HOME/tutti-screen, /var/lib/tutti-screen for root)",
            valueName: "dir"))
    var stateDir: String?

    @Option(help: ArgumentHelp("Listen at this address alone.", valueName: "address"))
    var address: String?

    @Option(
        help: ArgumentHelp(
            """
            Who may claim a screen that belongs to nobody: first, the first household that plays on it; token, one that \
            knows its token; open, nobody: everybody may play, also in the clear.
            """, valueName: "first|token|open"))
    var claim = "first"

    @Flag(help: "Do not announce the screen by mDNS; senders then need NAME@HOST:PORT.")
    var noMdns = false

    func validate() throws {
        guard ClaimPolicy(rawValue: claim) != nil else {
            throw ValidationError("\(claim): --claim is first, token or open")
        }
        if let display, display < 1 { throw ValidationError("\(display): displays are counted from 1") }
        if let delay, !(-5_000...5_000).contains(delay) {
            throw ValidationError("\(delay): --delay is -5000 to 5000 milliseconds")
        }
        if let name, !(1...63).contains(name.utf8.count) {
            throw ValidationError("--name has 1 to 63 bytes")
        }
    }

    /// The window.
    var window: ScreenSettings {
        var settings = ScreenSettings()
        settings.title = roomName
        (settings.isFullScreen, settings.display) = (fullscreen, display)
        return settings
    }

    private var roomName: String {
        let host = (HostName.own ?? "").split(separator: ".").first.map(String.init) ?? ""
        return name ?? (host.isEmpty ? "screen" : "\(host) screen")
    }

    /// What receives the stream.
    func speaker(showing pictures: StreamPictures) -> SpeakerConfiguration {
        var configuration = SpeakerConfiguration(
            name: roomName, device: device, port: port, bindAddress: address,
            stateDirectory: stateDir ?? StatePaths(environment: ProcessEnvironment.current).stateDirectory + "-screen",
            outputDelayMilliseconds: delay, announces: !noMdns)
        configuration.claim = ClaimPolicy(rawValue: claim) ?? .first
        configuration.pictures = pictures
        return configuration
    }
}
