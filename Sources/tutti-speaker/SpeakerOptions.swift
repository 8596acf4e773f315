import ArgumentParser

/// The flags of `tutti-speaker`.
struct SpeakerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The room's name. (default: this host's name)", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The output: an ALSA PCM, file:PATH.wav or null. (default: default)", valueName: "device"))
    var device: String?

    @Option(
        help: ArgumentHelp(
            """
            One of several outputs of this program, such as 'bath=hw:1,0', or 'bath=hw:1,0#3-4' for channels 3 and 4 of \
            a card that has more; repeat it for each. Every one is a room of its own, with a port of its own: --port and \
            those after it. They replace --name and --device.
            """, valueName: "name=device"))
    var output: [String] = []

    @Option(help: ArgumentHelp("The TCP port to listen on; 0 chooses a free one. (default: 7700)", valueName: "port"))
    var port: UInt16?

    @Option(
        help: ArgumentHelp(
            "The folder for all state. (default: $XDG_STATE_HOME/tutti, /var/lib/tutti for root)",
            valueName: "dir"))
    var stateDir: String?

    @Option(
        help: ArgumentHelp("How much audio to buffer, such as 30s, 5m or 1h. (default: 5m)", valueName: "duration"))
    var buffer: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            The delay after this output, in milliseconds, in steps of 0.1. If an amplifier adds 100 ms, set 100: the \
            speaker then plays 100 ms earlier. A negative delay makes it play later. (default: as stored, at first 0)
            """, valueName: "ms"))
    var outputDelay: Double?

    @Option(
        help: ArgumentHelp(
            """
            Close the output device when nothing has played for this long, such as 30s or 10m, also in a pause; never \
            keeps it open. (default: 3 seconds after the last sender has left)
            """, valueName: "duration|never"))
    var releaseAfter: String?

    @Option(
        help: ArgumentHelp(
            """
            Who sets how loud it is. software: the speaker, by its samples; hardware: an element of the card's mixer, \
            such as hardware:Digital or hardware:Master@hw:1; none: nobody, the volume is fixed at 100 or at \
            --max-volume. (default: software)
            """, valueName: "software|hardware[:element[@card]]|none"))
    var mixer: String?

    @Option(
        help: ArgumentHelp(
            "The loudest volume, 0 to 100: the speaker never plays louder, whoever asks. (default: 100)",
            valueName: "volume"))
    var maxVolume: Double?

    @Option(
        help: ArgumentHelp(
            "on: follow the group's clock; off: play at the card's own rate, bit for bit, and drift. (default: on)",
            valueName: "on|off"))
    var correction: String?

    @Option(
        help: ArgumentHelp(
            """
            own: Tutti measures the group's clock itself; system: it comes from the system clocks, if all members say \
            system, PTP or NTP keeps these in time, and Tutti's measurements agree. (default: own)
            """, valueName: "own|system"))
    var clock: String?

    @Option(
        help: ArgumentHelp(
            """
            Network hardware stamps: auto uses them if they are on, on switches them on for all programs (root or \
            CAP_NET_ADMIN), off ignores them. (default: auto)
            """, valueName: "auto|on|off"))
    var hardwareStamps: String?

    @Option(
        help: ArgumentHelp(
            """
            Who may claim a speaker that belongs to nobody: first, the first household that plays on it; token, one \
            that knows its token (see `tutti-speaker token`); open, nobody: everybody may play, also in the clear. \
            (default: first)
            """, valueName: "first|token|open"))
    var claim: String?

    @Flag(help: "The same as --claim open.")
    var open = false

    @Option(help: ArgumentHelp("A YAML file with settings.", valueName: "file"))
    var config: String?

    @Flag(help: "Do not announce the speaker by mDNS; senders then need NAME@HOST:PORT.")
    var noMdns = false

    @Flag(
        help: """
            Do not announce the room's name. Senders of the household still find the room by it; others see \
            'Tutti' and a part of the speaker's id.
            """)
    var hideName = false

    @Option(
        help: ArgumentHelp(
            """
            Serve figures for Prometheus at http://ADDRESS:PORT/metrics, such as 127.0.0.1:7790. Anybody who reaches the \
            address can read them. (default: nowhere)
            """, valueName: "address:port"))
    var metrics: String?

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning or error. (default: info)", valueName: "level"))
    var logLevel: String?

    @Option(help: ArgumentHelp("text, or json: one JSON object a line. (default: text)", valueName: "format"))
    var logFormat: String?
}
