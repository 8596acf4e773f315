import Foundation
import TuttiAssets
import TuttiCommandLine
import TuttiCore
import TuttiSchema
import TuttiSender

/// What a person names on the command line, for a player that has another working directory.
enum QueueInputs {
    /// Folders and lists expanded as `tutti play` does.
    ///
    /// - Parameters:
    ///   - keepsMissing: whether a file that is not there is left for the player to name, where another one is there.
    ///   - keepsNames: whether what is called by a name stays so where no service runs, too.
    /// - Throws: `ProgramFailure` with status 3 for a file that is not there, 2 for standard input.
    static func resolve(
        _ arguments: [String], keepsMissing: Bool = false, keepsNames: Bool = false
    ) throws -> [ControlInput] {
        for argument in arguments {
            if argument == AssetInput.standardInput {
                throw Failure("standard input cannot be queued; play it with `tutti play -`", exitCode: 2)
            }
        }
        let missing = arguments.filter { argument in
            // An absolute path may be one of the other host.
            if Remote.host != nil, argument.hasPrefix("/") { return false }
            if InputName(argument) != nil || LiveAddress.isOne(argument) { return false }
            return !AssetInput(uri: argument).isRemote && !FileManager.default.fileExists(atPath: argument)
        }
        if let first = missing.first, !keepsMissing || missing.count == arguments.count {
            throw AssetError.notFound(first)
        }
        let directory = FileManager.default.currentDirectoryPath
        var assets = try Inputs.expand(arguments)
        // A service knows its stations and its library; a player in the foreground knows none.
        let areNamed = assets.contains { InputName($0.uri) != nil }
        if areNamed, !keepsNames, !HandOver.isPossible { assets = try Inputs.named(assets) }
        let inputs = assets.map { ControlInput($0, directory: directory) }
        return try Remote.host.map { try RemoteInputs.send(inputs, to: $0) } ?? inputs
    }
}
