/// The interfaces of a media player, as MPRIS 2.2 has them, and those that every object has.
extension BusInterface {
    static let introspectable = BusInterface(
        name: "org.freedesktop.DBus.Introspectable",
        methods: [Method(name: "Introspect", inputs: [], outputs: [Argument(name: "xml_data", signature: "s")])],
        signals: [], properties: [])

    static let peer = BusInterface(
        name: "org.freedesktop.DBus.Peer",
        methods: [
            Method(name: "Ping", inputs: [], outputs: []),
            Method(name: "GetMachineId", inputs: [], outputs: [Argument(name: "machine_uuid", signature: "s")]),
        ], signals: [], properties: [])

    static let properties = BusInterface(
        name: "org.freedesktop.DBus.Properties",
        methods: [
            Method(
                name: "Get",
                inputs: [
                    Argument(name: "interface_name", signature: "s"), Argument(name: "property_name", signature: "s"),
                ], outputs: [Argument(name: "value", signature: "v")]),
            Method(
                name: "GetAll", inputs: [Argument(name: "interface_name", signature: "s")],
                outputs: [Argument(name: "properties", signature: "a{sv}")]),
            Method(
                name: "Set",
                inputs: [
                    Argument(name: "interface_name", signature: "s"), Argument(name: "property_name", signature: "s"),
                    Argument(name: "value", signature: "v"),
                ], outputs: []),
        ],
        signals: [
            Signal(
                name: "PropertiesChanged",
                arguments: [
                    Argument(name: "interface_name", signature: "s"),
                    Argument(name: "changed_properties", signature: "a{sv}"),
                    Argument(name: "invalidated_properties", signature: "as"),
                ])
        ], properties: [])

    /// What the program is.
    static let root = BusInterface(
        name: "org.mpris.MediaPlayer2",
        methods: ["Raise", "Quit"].map { Method(name: $0, inputs: [], outputs: []) }, signals: [],
        properties: [
            constant("CanQuit", "b"), constant("CanRaise", "b"), constant("HasTrackList", "b"),
            constant("Identity", "s"), constant("SupportedUriSchemes", "as"), constant("SupportedMimeTypes", "as"),
        ])

    /// What it plays.
    static let player = BusInterface(
        name: "org.mpris.MediaPlayer2.Player",
        methods: ["Next", "Previous", "Pause", "PlayPause", "Stop", "Play"].map {
            Method(name: $0, inputs: [], outputs: [])
        } + [
            Method(name: "Seek", inputs: [Argument(name: "Offset", signature: "x")], outputs: []),
            Method(
                name: "SetPosition",
                inputs: [Argument(name: "TrackId", signature: "o"), Argument(name: "Position", signature: "x")],
                outputs: []),
            Method(name: "OpenUri", inputs: [Argument(name: "Uri", signature: "s")], outputs: []),
        ],
        signals: [Signal(name: "Seeked", arguments: [Argument(name: "Position", signature: "x")])],
        properties: [
            variable("PlaybackStatus", "s"), setting("LoopStatus", "s"), setting("Rate", "d"), setting("Shuffle", "b"),
            variable("Metadata", "a{sv}"), setting("Volume", "d"),
            Property(name: "Position", signature: "x", isWritable: false, changes: .untold),
            constant("MinimumRate", "d"), constant("MaximumRate", "d"), variable("CanGoNext", "b"),
            variable("CanGoPrevious", "b"), variable("CanPlay", "b"), variable("CanPause", "b"),
            variable("CanSeek", "b"), constant("CanControl", "b"),
        ])

    private static func constant(_ name: String, _ signature: String) -> Property {
        Property(name: name, signature: signature, isWritable: false, changes: .never)
    }

    private static func variable(_ name: String, _ signature: String) -> Property {
        Property(name: name, signature: signature, isWritable: false, changes: .told)
    }

    private static func setting(_ name: String, _ signature: String) -> Property {
        Property(name: name, signature: signature, isWritable: true, changes: .told)
    }
}
