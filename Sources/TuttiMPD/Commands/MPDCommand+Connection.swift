/// What concerns the connection, and what the server can do.
extension MPDCommand {
    static let connection: [MPDCommand] = [
        MPDCommand("ping", [], 0...0) { _ throws(MPDFault) in },
        MPDCommand("password", [], 1...1) { call throws(MPDFault) in
            guard let permissions = call.commander.passwords.permissions(for: call.arguments[0]) else {
                call.client.wrongPasswords += 1
                if call.client.wrongPasswords >= MPDLimits.wrongPasswords { call.close() }
                throw MPDFault(.password, "incorrect password")
            }
            (call.client.permissions, call.client.wrongPasswords) = (permissions, 0)
        },
        MPDCommand("commands", [], 0...0) { call throws(MPDFault) in call.writeCommands(arePermitted: true) },
        MPDCommand("notcommands", [], 0...0) { call throws(MPDFault) in call.writeCommands(arePermitted: false) },
        MPDCommand("binarylimit", [], 1...1) { call throws(MPDFault) in
            let limit = try call.integer(call.arguments[0])
            guard limit >= MPDLimits.binaries.lowerBound else { throw MPDFault(.argument, "Value too small") }
            guard limit <= MPDLimits.binaries.upperBound else { throw MPDFault(.argument, "Value too large") }
            call.client.binaryLimit = limit
        },
        MPDCommand("urlhandlers", .read, 0...0) { call throws(MPDFault) in
            for handler in ["file://", "http://", "https://"] { call.output.pair("handler", handler) }
        },
        MPDCommand("decoders", .read, 0...0) { call throws(MPDFault) in
            call.output.pair("plugin", "tutti")
            for suffix in MPDMusicFile.suffixes { call.output.pair("suffix", suffix) }
        },
        MPDCommand("tagtypes", [], 0...MPDLimits.words) { call throws(MPDFault) in try call.tagTypes() },
        refused("config", .permission, "Tutti's settings are in tutti.yaml"),
        refused("kill", .permission, "a client does not end Tutti"),
    ]

    /// What is built into other builds of MPD, and not into this server.
    static let others: [MPDCommand] = [
        refused("getfingerprint", .unknown, "Tutti makes no fingerprints")
    ]
}

extension MPDCall {
    fileprivate mutating func writeCommands(arePermitted: Bool) {
        // What is refused whoever asks is not offered.
        let known = MPDCommand.all.values.filter { !$0.permission.isEmpty || Self.free.contains($0.name) }
        var names = known.filter { client.permissions.isSuperset(of: $0.permission) == arePermitted }.map(\.name)
        if arePermitted { names.append("close") }
        if client.permissions.contains(.read) == arePermitted { names.append("idle") }
        for name in names.sorted() { output.pair("command", name) }
    }

    private static let free: Set = ["ping", "password", "commands", "notcommands", "binarylimit", "tagtypes"]

    fileprivate mutating func tagTypes() throws(MPDFault) {
        let tags = try tags(arguments.dropFirst())
        switch (arguments.first, tags.isEmpty) {
        case (nil, _):
            for (name, tag) in MPDTag.named where client.tags.contains(tag) { output.pair("tagtype", name) }
        case ("available", true): for (name, _) in MPDTag.named { output.pair("tagtype", name) }
        case ("all", true): client.tags = .all
        case ("clear", true): client.tags = []
        case ("enable", false): client.tags.formUnion(tags)
        case ("disable", false): client.tags.subtract(tags)
        case ("reset", false): client.tags = tags
        case ("enable", true), ("disable", true), ("reset", true): throw MPDFault(.argument, "Not enough arguments")
        default: throw MPDFault(.argument, "Unknown sub command")
        }
    }

    private func tags(_ names: ArraySlice<String>) throws(MPDFault) -> MPDTag {
        var tags: MPDTag = []
        for name in names {
            guard let tag = MPDTag(named: name) else { throw MPDFault(.argument, "Unknown tag type: \(name)") }
            tags.insert(tag)
        }
        return tags
    }
}
