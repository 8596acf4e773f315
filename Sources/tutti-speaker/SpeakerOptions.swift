import ArgumentParser

/// The flags of `tutti-speaker`.
struct SpeakerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The room's name. (default: this host's name)", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Where the sound goes: an ALSA PCM, file:PATH.wav or null. (default: default)", valueName: "device"))
    var device: String?

    @Option(help: ArgumentHelp("TCP port to listen on; 0 takes a free one. (default: 7700)", valueName: "port"))
    var port: UInt16?

    @Option(
        help: ArgumentHelp(
            "Where identity and settings are kept. (default: $XDG_STATE_HOME/tutti, /var/lib/tutti for root)",
            valueName: "dir"))
    var stateDir: String?

    @Option(
        help: ArgumentHelp("How much audio is held ahead, as in 30s, 5m, 1h. (default: 5m)", valueName: "duration"))
    var buffer: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            How late this output is heard, in milliseconds to a tenth: for an amplifier that adds 100 ms give 100, and the \
            speaker sends its sound 100 ms earlier; below zero for a card that says that it is later than it is. (default: \
            as stored, at first 0)
            """, valueName: "ms"))
    var outputDelay: Double?

    @Option(
        help: ArgumentHelp(
            "on: follow the group's clock; off: play at the card's own rate, bit for bit, and drift. (default: on)",
            valueName: "on|off"))
    var correction: String?

    @Option(
        help: ArgumentHelp(
            """
            own: the group's clock is measured by exchanges alone; system: it is taken from the system clocks, if all members say system, PTP or \
            NTP disciplines these and the exchanges confirm them. (default: own)
            """, valueName: "own|system"))
    var clock: String?

    @Option(
        help: ArgumentHelp(
            """
            Stamps that the network interface makes: auto uses them where they are switched on, on switches them on for all programs (root \
            or CAP_NET_ADMIN), off leaves them. (default: auto)
            """, valueName: "auto|on|off"))
    var hardwareStamps: String?

    @Option(help: ArgumentHelp("A YAML file with settings.", valueName: "file"))
    var config: String?

    @Flag(help: "Do not announce the speaker by mDNS; senders name it as NAME@HOST:PORT.")
    var noMdns = false

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning or error. (default: info)", valueName: "level"))
    var logLevel: String?
}
