package import TuttiAssets
package import TuttiCore

/// Why nothing was rendered. Nothing is left of the output then.
package enum ExportError: Error, Equatable, Sendable {
    /// An input cannot be read, or not to its end.
    case input(AssetError)
    /// The output cannot be written.
    case output(AudioFileError)
    /// More inputs than the graph takes.
    case tooManyInputs(count: Int, maximum: Int)
    /// The chain cannot work with this sound.
    case chain(String)
    /// The loudness of silence is none.
    case silent
    /// The second pass needs an input that can be read again.
    case readOnce(String)
    /// The engine refuses; says why.
    case engine(String)
    /// It was told to stop.
    case interrupted
}

extension ExportError: CustomStringConvertible {
    /// One line that says what happened, and what to do.
    package var description: String {
        switch self {
        case .input(let error): error.description
        case .output(let error): error.description
        case .tooManyInputs(let count, let maximum):
            "\(count) inputs are too many; render at most \(maximum) at once"
        case .chain(let reason): reason
        case .silent: "the sound is silent or too soft to have a loudness; leave --loudness out"
        case .readOnce(let name):
            "\(name): --loudness reads its inputs twice, which is not possible here; save it to a file first"
        case .engine(let reason): "cannot render: \(reason)"
        case .interrupted: "interrupted; nothing was written"
        }
    }
}
