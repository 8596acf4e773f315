import ArgumentParser
import Dispatch
import Foundation
import Synchronization
import TuttiAssets
import TuttiCommandLine
import TuttiLibrary
import TuttiScan
import TuttiStore

/// `tutti loudness`.
struct LoudnessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loudness", abstract: "Measures how loud files are, for `tutti normalise`.",
        discussion: """
            FILES are files, folders and playlists, as `tutti play` takes them. All are measured after EBU R128 and \
            ITU-R BS.1770, and the results are stored. A file that has not changed since is shown as known and not \
            read again. Files of one folder with the same album tag are also measured as an album, as a whole.

            The columns are the integrated loudness (LUFS), the loudness range (LU), the true peak (dBTP), and the \
            gains to -18 LUFS, ReplayGain's reference, for the track and for its album. R128 tags of Opus files refer \
            to -23 LUFS instead: subtract 5 dB. `tutti normalise` uses a smaller gain where a peak would exceed -1 dBTP.

            Tracks of the library keep the results as well; `tutti library loudness` measures those that have none.

            For the service that the package starts, measure as root. A file that cannot be read is reported, the \
            others are measured, and the exit status is 1.
            """)

    @Argument(help: "Files, folders and playlists.", completion: .file())
    var files: [String]

    @Flag(help: "Print lines of JSON; see docs/json.md.")
    var json = false

    func run() throws {
        guard !files.contains(AssetInput.standardInput) else {
            throw Failure("standard input cannot be measured; save it as a file", exitCode: 2)
        }
        // What plays meanwhile comes first.
        _ = nice(10)
        let store = try PlayerSettings.store()
        defer { store.close() }
        let threads = ProcessInfo.processInfo.activeProcessorCount
        let scan = LoudnessScan(try InputResolver.resolve(files), store: store, threads: threads)
        let text = Mutex(LoudnessText(isJSON: json))
        let library = LibraryStore.existing()
        defer { library?.close() }
        scan.run { event in
            library?.note(event)
            text.withLock { $0.show(event) }
        }
        let failures = text.withLock { $0.finish() }
        if failures > 0 {
            throw Failure("\(failures == 1 ? "1 file" : "\(failures) files") could not be measured (see above)")
        }
    }
}
