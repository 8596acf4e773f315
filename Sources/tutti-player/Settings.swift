import ArgumentParser
import Configuration
import Glibc
import SystemPackage
import TuttiHost
import TuttiSender
import TuttiStore

/// Environment and configuration files: flag > environment > file > default.
struct Settings {
    /// Where this user's things are.
    static let paths = StatePaths(environment: ProcessEnvironment.current)

    private let reader: ConfigReader

    /// - Throws: `Failure` naming a configuration file that cannot be used.
    static func load() async throws -> Settings {
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "tutti")
        var providers: [any ConfigProvider] = [environment]
        for directory in paths.configDirectories {
            let path = directory + "/tutti.yaml"
            guard access(path, F_OK) == 0 else { continue }
            do {
                providers.append(try await FileProvider<YAMLSnapshot>(filePath: FilePath(path)))
            } catch {
                throw Failure("cannot use the configuration in \(path): \(error)")
            }
        }
        return Settings(reader: ConfigReader(providers: providers))
    }

    /// The text under `key`.
    func text(_ key: String) -> String? { reader.string(forKey: ConfigKey(stringLiteral: key)) }

    /// The list under `key`.
    func list(_ key: String) -> [String]? { reader.stringArray(forKey: ConfigKey(stringLiteral: key)) }

    /// The rooms to play in: those of `--room` and `--group`, else the usual ones of the configuration.
    ///
    /// - Parameter isHere: whether this host is played on too, which needs no rooms.
    func rooms(named names: [String], groups: [String], isHere: Bool = false) throws -> [RoomAddress] {
        var rooms = try RoomArgument.parse(names)
        for name in self.groups(named: groups, rooms: names) { rooms += try group(name) }
        if rooms.isEmpty, isHere { return [] }
        if rooms.isEmpty { rooms = try RoomArgument.parse(list("rooms") ?? []) }
        guard !rooms.isEmpty else {
            throw ValidationError(
                "say where to play: --room NAME, --group NAME or --here; `tutti rooms` lists the rooms")
        }
        var seen: Set<RoomAddress> = []
        return rooms.filter { seen.insert($0).inserted }
    }

    /// The same for a service, which has the groups that `tutti group` made: rooms as `--room` takes them, and names of groups.
    func places(rooms names: [String], groups: [String]) throws -> (rooms: [String], groups: [String]) {
        var rooms = try RoomArgument.parse(names)
        var kept: [String] = []
        for name in self.groups(named: groups, rooms: names) {
            if let configured = try configuredGroup(name), try GroupCommand.edit("list")[name] == nil {
                rooms += configured
            } else {
                kept.append(name)
            }
        }
        if rooms.isEmpty, kept.isEmpty { rooms = try self.rooms(named: [], groups: []) }
        return (rooms.map(\.description), kept)
    }

    /// The groups to play in: those named, or else, where no room is named either, the one of `TUTTI_GROUP` or the configuration.
    func groups(named groups: [String], rooms: [String]) -> [String] {
        guard groups.isEmpty, rooms.isEmpty, let usual = text("group"), !usual.isEmpty else { return groups }
        return [usual]
    }

    /// The rooms of a group: as `tutti group` made it, or as the configuration has it under `groups`.
    func group(_ name: String) throws -> [RoomAddress] {
        do {
            if let kept = try Self.store().groups()[name] { return kept }
        } catch {
            throw Failure(error)
        }
        guard let configured = try configuredGroup(name) else { throw Failure(SenderError.noSuchGroup(name)) }
        return configured
    }

    /// The rooms of a group of the configuration.
    func configuredGroup(_ name: String) throws -> [RoomAddress]? {
        try list("groups.\(name)").map(RoomArgument.parse)
    }

    /// What this user's senders remember; tells what happened to it.
    static func store() throws(SenderError) -> HouseStore {
        let store = try HouseStore(directory: paths.stateDirectory)
        for remark in store.remarks { Terminal.error(remark) }
        return store
    }
}

/// Rooms as they are named on the command line.
enum RoomArgument {
    /// - Throws: `Failure` with exit status 2 for what is no room.
    static func parse(_ arguments: [String]) throws -> [RoomAddress] {
        do {
            return try arguments.map { try RoomAddress(parsing: $0) }
        } catch let error as SenderError {
            throw Failure(error)
        }
    }
}
