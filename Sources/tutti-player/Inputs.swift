import ArgumentParser
import TuttiAssets
import TuttiCore
import TuttiHouse
import TuttiRooms

/// What is named on a command line to be played.
enum Inputs {
    /// Folders and lists expanded, names looked up.
    ///
    /// - Parameter format: what raw samples on standard input are.
    /// - Throws: `ProgramFailure` with status 3 for what is not there; `ValidationError` for a bad format.
    static func resolve(_ arguments: [String], format: String?) throws -> [AssetInput] {
        do {
            let rawFormat = try format.map { text throws(AssetError) in try RawFormat(parsing: text) }
            let inputs = try expand(arguments, stdinFormat: rawFormat)
            guard inputs.count(where: \.isStandardInput) <= 1 else {
                throw ValidationError("standard input can be played only once: give - once")
            }
            return try named(inputs)
        } catch let error as AssetError {
            if case .badRawFormat = error { throw ValidationError(error.description) }
            throw error
        }
    }

    /// Stations as addresses, and parts of the library as files, from this user's store.
    static func named(_ inputs: [AssetInput]) throws(SenderError) -> [AssetInput] {
        guard inputs.contains(where: { InputName($0.uri) != nil }) else { return inputs }
        let live: [LiveInput]
        do {
            live = try PlayerSettings.load().liveInputs()
        } catch let error as SenderError {
            throw error
        } catch {
            throw .badOption(String(describing: error))
        }
        return try NamedInputs(store: PlayerSettings.store(), live: live).resolve(inputs)
    }

    /// Folders and lists expanded; what is called by a name stays as it is called.
    static func expand(_ arguments: [String], stdinFormat: RawFormat? = nil) throws(AssetError) -> [AssetInput] {
        var inputs: [AssetInput] = []
        for argument in arguments {
            if InputName(argument) != nil {
                inputs.append(AssetInput(uri: argument))
            } else {
                inputs += try InputResolver.resolve([argument], stdinFormat: stdinFormat)
            }
        }
        return inputs
    }
}
