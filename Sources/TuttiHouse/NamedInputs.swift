import Glibc
package import TuttiAssets
import TuttiCore
import TuttiLibrary
package import TuttiRooms
package import TuttiSchema
import TuttiSender
package import TuttiStore

/// What inputs mean that people call by a name: a station that the store keeps, or a part of the library beside it.
package struct NamedInputs: Sendable {
    private let store: HouseStore
    private let inputs: [LiveInput]

    /// - Parameter inputs: the live inputs of the settings.
    package init(store: HouseStore, inputs: [LiveInput] = []) {
        self.store = store
        self.inputs = inputs
    }

    /// Inputs with the addresses of stations, which are called by their names, and the files of the library.
    ///
    /// - Throws: `.refused` with exit code 3 for a name that nobody has kept, and for what the library has nothing of.
    package func resolve(_ inputs: [ControlInput]) throws(SenderError) -> [ControlInput] {
        for input in inputs { try Self.check(input) }
        guard inputs.contains(where: { InputName($0.uri) != nil }) else { return inputs }
        var resolved: [ControlInput] = []
        for input in inputs {
            guard let name = InputName(input.uri) else {
                resolved.append(input)
                continue
            }
            switch name.kind {
            case .station: resolved.append(try station(name.text, input))
            case .input: resolved.append(try live(name.text, input))
            default:
                resolved += try files(of: name).map { ControlInput($0, directory: "/") }
            }
        }
        return resolved
    }

    /// Whoever can ask for music is not thereby to run programs here: that is for the settings to say.
    private static func check(_ input: ControlInput) throws(SenderError) {
        guard LiveAddress.isOne(input.uri), let address = try? LiveAddress(input.uri), case .program = address.source
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

    private func live(_ name: String, _ input: ControlInput) throws(SenderError) -> ControlInput {
        guard let kept = inputs.first(where: { Names.areSame($0.name, name) }) else {
            let known = inputs.map(\.name).sorted().joined(separator: ", ")
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
        try Self.check(input)
        return input
    }

    private func files(of name: InputName) throws(SenderError) -> [AssetInput] {
        let directory = store.path.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
        // It is made by whoever adds music, not by whoever looks for some.
        guard let directory, access(directory + "/" + LibraryStore.fileName, F_OK) == 0 else {
            throw .refused("the library is empty; `tutti library add FOLDER` fills it", exitCode: 3)
        }
        guard let query = LibraryQuery(name: name) else {
            throw .refused("\(name.text): no name or words that music could have", exitCode: 3)
        }
        do throws(LibraryError) {
            let library = try LibraryStore(directory: directory)
            defer { library.close() }
            return try query.inputs(in: library)
        } catch {
            throw .refused(error.description, exitCode: 3)
        }
    }
}
