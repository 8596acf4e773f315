/// One command of the protocol.
struct MPDCommand: Sendable {
    typealias Action = @Sendable (inout MPDCall) throws(MPDFault) -> Void

    let name: String
    /// What a client needs for it.
    let permission: MPDPermissions
    /// How many arguments it takes.
    let counts: ClosedRange<Int>
    let action: Action

    init(_ name: String, _ permission: MPDPermissions, _ counts: ClosedRange<Int>, _ action: @escaping Action) {
        (self.name, self.permission, self.counts, self.action) = (name, permission, counts, action)
    }

    /// A command that is known and not done.
    static func refused(_ name: String, _ code: MPDFault.Code, _ reason: String) -> MPDCommand {
        MPDCommand(name, [], 0...MPDLimits.words) { _ throws(MPDFault) in throw MPDFault(code, reason) }
    }

    /// By name, all there are.
    static let all: [String: MPDCommand] = {
        let lists = [
            connection, playback, options, queue, queueListings, outputs, partitions, database, stickers, playlists,
            messages, others,
        ]
        return Dictionary(lists.joined().map { ($0.name, $0) }) { first, _ in first }
    }()

    /// Commands that only look, and still may take their time: another program makes pictures, the service has the
    /// playlists, and a library may be large.
    private static let slow: Set = [
        "albumart", "readpicture", "lsinfo", "listfiles", "listall", "listallinfo", "find", "search", "count",
        "searchcount", "list", "listplaylists", "listplaylist", "listplaylistinfo",
        "sticker",
    ]

    /// Whether it only looks at what is known.
    var isQuick: Bool { MPDPermissions.read.isSuperset(of: permission) && !Self.slow.contains(name) }

    /// Whether it only looks, at whatever.
    var onlyLooks: Bool { MPDPermissions.read.isSuperset(of: permission) }

    /// What the connection does itself.
    static let ofConnection = ["idle", "noidle", "close"]
}

extension MPDJob {
    /// Whether all of its commands only look.
    var onlyLooks: Bool { commands.allSatisfy { $0?.onlyLooks ?? true } }

    private var commands: [MPDCommand?] {
        lines.map { MPDCommand.all[String(decoding: $0.prefix { $0 > 0x20 }, as: UTF8.self)] }
    }

    /// Whether all of its commands only look at what is known.
    var isQuick: Bool { commands.allSatisfy { $0?.isQuick ?? true } }
}
