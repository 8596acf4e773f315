import Tutti
import TuttiAssets
import TuttiCommandLine
import TuttiLibrary
import TuttiRooms
import TuttiSender
import TuttiSettings
import TuttiTrust

extension Failure {
    /// How playback ended, if something went wrong.
    init?(exitCode: Int32, _ message: String?) {
        guard exitCode != 0 else { return nil }
        self.init(message ?? "playback failed", exitCode: exitCode)
    }

    /// The same in this process.
    init?(_ outcome: PlayerOutcome) { self.init(exitCode: outcome.exitCode, outcome.message) }
}

extension QueuePlayerError: ProgramFailure {}

extension SenderError: ProgramFailure {}

extension TrustError: ProgramFailure {
    package var exitCode: Int32 { if case .refused = self { 4 } else { 1 } }
}

extension AssetError: ProgramFailure {
    package var exitCode: Int32 { 3 }
}

/// A wrong setting is as bad as a wrong command line.
extension SettingsError: ProgramFailure {
    package var exitCode: Int32 { 2 }
}

extension LibraryError: ProgramFailure {
    package var exitCode: Int32 {
        switch self {
        case .store, .busy: 1
        case .overlaps, .tooManyRoots: 2
        case .folder, .noSuchRoot, .noSuchTrack, .noSuchAlbum, .noSuchName, .nothingFound, .badSticker: 3
        }
    }
}
