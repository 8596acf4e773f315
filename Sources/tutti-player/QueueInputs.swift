import Foundation
import TuttiAssets
import TuttiSender

/// What a person names on the command line, for a player that has another working directory.
enum QueueInputs {
    /// Folders and lists expanded as `tutti play` does.
    ///
    /// - Throws: `Failure` with status 3 for a file that is not there, 2 for standard input.
    static func resolve(_ arguments: [String]) throws -> [ControlInput] {
        for argument in arguments {
            if argument == AssetInput.standardInput {
                throw Failure("standard input can only be played by `tutti play -`", exitCode: 2)
            }
            guard AssetInput(uri: argument).isRemote || FileManager.default.fileExists(atPath: argument) else {
                throw Failure(AssetError.notFound(argument).description, exitCode: 3)
            }
        }
        do {
            let directory = FileManager.default.currentDirectoryPath
            return try InputResolver.resolve(arguments).map { ControlInput($0, directory: directory) }
        } catch {
            throw Failure(error.description, exitCode: 3)
        }
    }
}
