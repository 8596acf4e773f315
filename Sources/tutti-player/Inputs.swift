import ArgumentParser
import TuttiAssets

/// What is named on a command line to be played.
enum Inputs {
    /// Folders and lists expanded.
    ///
    /// - Parameter format: what raw samples on standard input are.
    /// - Throws: `ProgramFailure` with status 3 for what is not there; `ValidationError` for a bad format.
    static func resolve(_ arguments: [String], format: String?) throws -> [AssetInput] {
        do {
            let rawFormat = try format.map { text throws(AssetError) in try RawFormat(parsing: text) }
            let inputs = try InputResolver.resolve(arguments, stdinFormat: rawFormat)
            guard inputs.count(where: \.isStandardInput) <= 1 else {
                throw ValidationError("standard input can be played only once: give - once")
            }
            return inputs
        } catch let error as AssetError {
            if case .badRawFormat = error { throw ValidationError(error.description) }
            throw error
        }
    }
}
