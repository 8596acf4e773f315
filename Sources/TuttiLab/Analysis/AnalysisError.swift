/// Why a recording could not be analysed.
package enum AnalysisError: Error, Equatable, CustomStringConvertible {
    /// The file at `path` cannot be read.
    case unreadable(path: String)
    /// The file at `path` is no WAV file that the laboratory reads; `reason` says what is missing.
    case notWave(path: String, reason: String)
    /// The truth log at `path` has no run, or a run that makes no sense.
    case badTruthLog(path: String, reason: String)
    /// A file cannot be written at `path`.
    case unwritable(path: String)

    /// What happened, in one line.
    package var description: String {
        switch self {
        case .unreadable(let path): "\(path): cannot be read"
        case .notWave(let path, let reason): "\(path): this WAV file cannot be analysed (\(reason))"
        case .badTruthLog(let path, let reason): "\(path): not a truth log (\(reason))"
        case .unwritable(let path): "\(path): cannot be written"
        }
    }
}
