import Glibc
package import TuttiAssets
import TuttiCore
import TuttiLibrary
package import TuttiRooms
package import TuttiSchema
import TuttiSender
package import TuttiStore

/// What inputs mean that people call by a name: a station or a playlist that the store keeps, or a part of the library
/// beside it.
package struct NamedInputs: Sendable {
    private let store: HouseStore
    private let library: HouseLibrary?
    private let live: [LiveInput]

    /// - Parameters:
    ///   - library: the library beside the store, if it is open.
    ///   - live: the live inputs of the settings.
    package init(store: HouseStore, library: HouseLibrary? = nil, live: [LiveInput] = []) {
        (self.store, self.library, self.live) = (store, library, live)
    }

    /// Inputs with the addresses of stations, which are called by their names, and the files of the library.
    ///
    /// - Throws: `.refused` with exit code 3 for a name that nobody has kept, and for what the library has nothing of.
    package func resolve(_ inputs: [ControlInput]) throws(SenderError) -> [ControlInput] {
        for input in inputs { try check(input) }
        guard inputs.contains(where: { InputName($0.uri) != nil }) else { return inputs }
        var resolved: [ControlInput] = []
        for input in inputs {
            guard let name = InputName(input.uri) else {
                resolved.append(input)
                continue
            }
            switch name.kind {
            case .station: resolved.append(try station(name.text, input))
            case .input: resolved.append(try source(name.text, input))
            case .playlist: resolved += try resolve(try tracks(ofPlaylist: name.text))
            default: resolved += try files(of: name).map { ControlInput($0, directory: "/") }
            }
        }
        return resolved
    }

    /// Whoever can ask for music is not thereby to run programs here: that is for the settings to say. What they name is
    /// asked for by its address too, once its name has been looked up.
    private func check(_ input: ControlInput) throws(SenderError) {
        guard LiveAddress.isOne(input.uri), let address = try? LiveAddress(input.uri), case .program = address.source,
            !live.contains(where: { (try? LiveAddress($0.uri))?.source == address.source })
        else { return }
        throw .refused(
            "\(input.uri): a service runs no programs that it is asked to; name it under inputs in tutti.yaml",
            exitCode: 3)
    }

    /// The same for a player of one's own.
    package func resolve(_ inputs: [AssetInput]) throws(SenderError) -> [AssetInput] {
        guard inputs.contains(where: { InputName($0.uri) != nil }) else { return inputs }
        var resolved: [AssetInput] = []
        for input in inputs {
            guard InputName(input.uri) != nil else {
                resolved.append(input)
                continue
            }
            for named in try resolve([ControlInput(uri: input.uri)]) { resolved.append(try named.input()) }
        }
        return resolved
    }

    private func source(_ name: String, _ input: ControlInput) throws(SenderError) -> ControlInput {
        guard let kept = live.first(where: { Names.areSame($0.name, name) }) else {
            let known = live.map(\.name).sorted().joined(separator: ", ")
            let hint = known.isEmpty ? "tutti.yaml has none under inputs" : "there are \(known)"
            throw .refused("no input is called \(name); \(hint)", exitCode: 3)
        }
        var input = input
        (input.uri, input.title) = (kept.uri, input.title ?? kept.name)
        return input
    }

    private func station(_ name: String, _ input: ControlInput) throws(SenderError) -> ControlInput {
        let stations = try store.stations()
        guard let kept = stations.first(where: { Names.areSame($0.key, name) }) else {
            throw .unknownStation(name, among: stations.keys)
        }
        var input = input
        (input.uri, input.title) = (kept.value, input.title ?? kept.key)
        try check(input)
        return input
    }

    private func tracks(ofPlaylist name: String) throws(SenderError) -> [ControlInput] {
        let playlists = try store.playlists()
        guard let kept = playlists.first(where: { Names.areSame($0.name, name) }) else {
            throw .unknownPlaylist(name, among: playlists.map(\.name))
        }
        let tracks = try store.playlist(kept.name) ?? []
        guard !tracks.isEmpty else { throw .refused("\(kept.name): this playlist is empty", exitCode: 3) }
        // No playlist is in another one.
        return tracks.filter { InputName($0.uri)?.kind != .playlist }
    }

    private func files(of name: InputName) throws(SenderError) -> [AssetInput] {
        let directory = store.directory
        // It is made by whoever adds music, not by whoever looks for some.
        guard let directory, access(directory + "/" + LibraryStore.fileName, F_OK) == 0 else {
            throw .refused("the library is empty; `tutti library add FOLDER` fills it", exitCode: 3)
        }
        guard let query = LibraryQuery(name: name) else {
            throw .refused("\(name.text): no name or words that music could have", exitCode: 3)
        }
        do throws(LibraryError) {
            if let library = try library?.opened() { return try query.inputs(in: library) }
            let library = try LibraryStore(directory: directory)
            defer { library.close() }
            return try query.inputs(in: library)
        } catch {
            throw .refused(error.description, exitCode: 3)
        }
    }
}

extension HouseStore {
    /// The folder that it is in; nil when it is in memory only.
    var directory: String? { path.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } } }
}
