import ArgumentParser
import Synchronization
import Tutti
import TuttiAssets
import TuttiCommandLine
import TuttiCore
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiSettings
import TuttiStore
import TuttiTrust

/// Environment and configuration files: flag > environment > file > default.
struct PlayerSettings {
    /// Where this user's things are.
    static let paths = StatePaths(environment: ProcessEnvironment.current)

    private let layers: SettingsLayers
    /// Whether the command line asks for `open`; set before anything is loaded.
    private static let isOpen = Atomic(false)

    /// Has this process speak to speakers in the clear, whatever is set.
    static func speakInTheClear() { isOpen.store(true, ordering: .relaxed) }

    /// - Throws: `ProgramFailure` with exit status 2 naming the place of what is wrong, and what is allowed.
    static func load() throws -> PlayerSettings {
        var files: [SettingsFile] = []
        for directory in paths.configDirectories {
            if let file = try SettingsFile.read(directory + "/tutti.yaml") { files.append(file) }
        }
        return PlayerSettings(
            layers: try SettingsLayers(
                files: files, environment: ProcessEnvironment.current, rules: SenderSetting.rules))
    }

    /// What a setting is set to.
    ///
    /// - Throws: `ProgramFailure` with exit status 2 for what is not allowed.
    func value<Value>(_ setting: Setting<Value>, flag: String? = nil) throws -> Value? {
        return try layers.value(setting, flag: flag)
    }

    /// What files have in the place of the `*` of these settings.
    func names(of rules: [SettingRule]) -> [String] { layers.names(of: rules) }

    /// This host's clock, with what is set for it.
    ///
    /// - Parameters:
    ///   - source: what the command line says of where group clocks come from.
    ///   - stamps: what it says of hardware stamps.
    /// - Throws: `ProgramFailure` for a test clock that is none.
    func clock(source: String? = nil, stamps: String? = nil) throws -> HostClock {
        let stamps = try value(SenderSetting.hardwareStamps, flag: stamps).flatMap(HardwareStampUse.init)
        let usesSystemClock = try value(SenderSetting.clock, flag: source) == "system"
        var clock = try HostClock.system(environment: ProcessEnvironment.current)
        (clock.hardwareStamps, clock.usesSystemClock) = (stamps ?? .auto, usesSystemClock)
        return clock
    }

    /// The rooms to play in: those of `--room` and `--group`, else the usual ones of the configuration.
    ///
    /// - Parameters:
    ///   - screens: those of `--screen`, which come to the rooms.
    ///   - isHere: whether this host is played on too, which needs no rooms.
    func rooms(
        named names: [String], groups: [String], screens: [String] = [], isHere: Bool = false
    ) throws -> [RoomAddress] {
        var rooms = try RoomArgument.parse(names)
        for name in try self.groups(named: groups, rooms: names) { rooms += try group(name) }
        if rooms.isEmpty, !isHere { rooms = try RoomArgument.parse(value(SenderSetting.rooms) ?? []) }
        rooms += try RoomArgument.parse(screens)
        guard !rooms.isEmpty || isHere else {
            throw ValidationError(
                "no room to play in: use --room NAME, --group NAME or --here (`tutti rooms` lists the rooms)")
        }
        var seen: Set<RoomAddress> = []
        return rooms.filter { seen.insert($0).inserted }
    }

    /// The same for a service, which knows the groups of `tutti group`: rooms as for `--room`, and names of groups.
    func places(
        rooms names: [String], groups: [String], screens: [String] = []
    ) throws -> (rooms: [String], groups: [String]) {
        var rooms = try RoomArgument.parse(names)
        var kept: [String] = []
        for name in try self.groups(named: groups, rooms: names) {
            if let configured = try configuredGroup(name),
                try !GroupCommand.edit(.list).keys.contains(where: { Names.areSame($0, name) })
            {
                rooms += configured
            } else {
                kept.append(name)
            }
        }
        if rooms.isEmpty, kept.isEmpty {
            rooms = try self.rooms(named: [], groups: [], screens: screens)
        } else {
            rooms += try RoomArgument.parse(screens)
        }
        return (rooms.map(\.description), kept)
    }

    /// The groups to play in: those named, or else, where no room is named either, the one of `TUTTI_GROUP` or the
    /// configuration.
    func groups(named groups: [String], rooms: [String]) throws -> [String] {
        guard groups.isEmpty, rooms.isEmpty, let usual = try value(SenderSetting.group) else { return groups }
        return [usual]
    }

    /// The rooms of a group: as `tutti group` made it, or as the configuration has it under `groups`.
    func group(_ name: String) throws -> [RoomAddress] {
        let groups = try Self.store().groups()
        if let kept = groups.first(where: { Names.areSame($0.key, name) }) { return kept.value }
        guard let configured = try configuredGroup(name) else {
            throw SenderError.unknownGroup(name, among: groups.keys)
        }
        return configured
    }

    /// The rooms of a group of the configuration.
    func configuredGroup(_ name: String) throws -> [RoomAddress]? {
        try value(SenderSetting.groups.named(name)).map(RoomArgument.parse)
    }

    /// Finds out whether rooms and inputs are there, before any room is taken.
    ///
    /// - Throws: `ProgramFailure` with exit status 3 when they are not.
    func plan(_ inputs: [AssetInput], in rooms: [RoomAddress], any: Bool) async throws -> Takeover {
        try await Takeover.plan(inputs, in: rooms, any: any, book: try Self.book())
    }

    /// The rooms that this user's senders know.
    static func book() throws(SenderError) -> RoomBook { try RoomBook(store: try store(), clock: HostClock()) }

    /// Finds all of these rooms.
    ///
    /// - Throws: why one of them is not there.
    static func find(_ rooms: [RoomAddress]) async throws(SenderError) -> [RoomBook.Place] {
        var places: [RoomBook.Place] = []
        for found in await (try book()).find(rooms) { places.append(try found.mapError(\.error).get()) }
        return places
    }

    /// The sender's place in its household, made at first use; nil where it is to speak in the clear.
    ///
    /// - Throws: `ProgramFailure` for a setting that is none, `SenderError.system` when keys cannot be kept.
    func trust(in stateDirectory: String) throws -> Membership? {
        if try Self.isOpen.load(ordering: .relaxed) || value(SenderSetting.open) == true { return nil }
        return try Membership.ofUser(stateDirectory: stateDirectory)
    }

    /// The store of this user's senders; prints what happened to it.
    static func store() throws(SenderError) -> HouseStore {
        let trust: Membership?
        do {
            trust = try load().trust(in: paths.stateDirectory)
        } catch let error as SenderError {
            throw error
        } catch {
            throw .system(String(describing: error))
        }
        let store = try HouseStore(directory: paths.stateDirectory, trust: trust)
        for remark in store.remarks { Terminal.error(remark) }
        return store
    }
}

/// Rooms as they are named on the command line.
enum RoomArgument {
    /// - Throws: `ProgramFailure` with exit status 2 for what is no room.
    static func parse(_ arguments: [String]) throws -> [RoomAddress] {
        return try arguments.map { try RoomAddress(parsing: $0) }
    }
}
