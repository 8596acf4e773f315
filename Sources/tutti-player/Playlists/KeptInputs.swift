import TuttiAssets
import TuttiCommandLine
import TuttiCore
import TuttiSchema

/// What is named on the command line and stays where it is: the tracks of a playlist, and favourites.
enum KeptInputs {
    /// Folders and lists expanded; what is called by a name stays as it is called, and is looked up when it is played.
    ///
    /// - Parameter keepsNames: whether names stay names where no service runs, too.
    /// - Throws: `ProgramFailure`, with `--host` also for files of this computer: what is sent there does not stay.
    static func resolve(_ arguments: [String], keepsNames: Bool = true) throws -> [ControlInput] {
        guard Remote.host != nil else { return try QueueInputs.resolve(arguments, keepsNames: keepsNames) }
        return try arguments.map { argument in
            guard InputName(argument) != nil || AssetInput(uri: argument).isRemote || argument.hasPrefix("/") else {
                throw Failure(
                    "\(argument): with --host, name addresses, names such as album:NAME, and absolute paths of that host",
                    exitCode: 2)
            }
            return ControlInput(uri: argument)
        }
    }

    /// The tracks of a playlist's file, which is on this computer.
    static func resolve(list file: String) throws -> [ControlInput] {
        guard Remote.host != nil else { return try QueueInputs.resolve([file], keepsNames: true) }
        return try InputResolver.resolve([file]).flatMap { try resolve([$0.uri]) }
    }
}
