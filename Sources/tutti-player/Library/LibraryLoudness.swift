import ArgumentParser
import Foundation
import Synchronization
import TuttiAssets
import TuttiCommandLine
import TuttiHost
import TuttiLibrary
import TuttiScan
import TuttiStore

extension LibraryCommand {
    struct Loudness: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Measures how loud tracks are of which nobody knows that.",
            discussion: """
                Tracks with ReplayGain or R128 tags, and those that were measured before, are left out; if one track of an \
                album is unknown, the whole album is measured. What is found is shown as by `tutti loudness`, and kept \
                in the library: also a file that is moved keeps it. `tutti normalise` uses it.

                It decodes all of each file, some hundred times as fast as it plays. You may stop it at any time: what \
                is measured stays, and the next one goes on from there. A file that cannot be read is reported, the \
                others are measured, and the exit status is 1.
                """)
        @Argument(help: "Folders of the library; all if you name none.", completion: .directory)
        var folders: [String] = []

        @Flag(help: "Print lines of JSON; see docs/json.md.") var json = false

        // The parent command may consume options after `loudness`.
        @ParentCommand var library: LibraryCommand

        /// Tracks that are looked at at once, so that what is kept of them is little.
        private static let chunk = 512

        func run() throws {
            // What plays meanwhile comes first.
            _ = nice(10)
            let library = try LibraryCommand.open()
            defer { library.close() }
            let store = try PlayerSettings.store()
            defer { store.close() }
            let roots = folders.isEmpty ? nil : try library.roots(named: folders).map(\.id)
            let albums = try library.unmeasured(in: roots)
            let total = albums.reduce(0) { $0 + $1.count }
            let text = Mutex(LoudnessText(isJSON: json || self.library.json))
            var done = LoudnessScan.Progress(total: total)
            for tracks in Self.chunks(albums) {
                let scan = LoudnessScan(
                    try library.inputs(of: tracks), store: store,
                    threads: ProcessInfo.processInfo.activeProcessorCount)
                let last = Mutex(LoudnessScan.Progress(total: 0))
                scan.run { [done] event in
                    library.note(event)
                    guard case .progress(var progress) = event else { return text.withLock { $0.show(event) } }
                    last.withLock { $0 = progress }
                    progress.add(done)
                    text.withLock { $0.show(.progress(progress)) }
                }
                // What is known from elsewhere counts as well.
                let seconds = last.withLock(\.seconds)
                done.done += tracks.count
                done.seconds += seconds
            }
            let failures = text.withLock { $0.finish() }
            if total == 0, !json { Terminal.writeError("nothing is left to measure\n") }
            if failures > 0 {
                throw Failure("\(failures == 1 ? "1 file" : "\(failures) files") could not be measured (see above)")
            }
        }

        /// Tracks by some hundreds; albums are not divided.
        private static func chunks(_ albums: [[Int64]]) -> [[Int64]] {
            var chunks: [[Int64]] = []
            for album in albums {
                if let last = chunks.last, last.count + album.count <= chunk {
                    chunks[chunks.count - 1] += album
                } else {
                    chunks.append(album)
                }
            }
            return chunks
        }
    }
}

extension LoudnessScan.Progress {
    /// Adds what was measured before, of as many tracks in all.
    fileprivate mutating func add(_ before: Self) {
        total = before.total
        done += before.done
        seconds += before.seconds
    }
}

extension LibraryStore {
    /// Keeps what a scan has measured. What cannot be kept is measured again another time.
    func note(_ event: LoudnessScan.Event) {
        guard case .track(let input, let measured, _) = event else { return }
        try? noteMeasured(input, measured.file, measured.loudness)
    }

    /// The library of this user, if somebody has made one that can be read.
    static func existing() -> LibraryStore? {
        let directory = PlayerSettings.paths.stateDirectory
        guard access(directory + "/" + fileName, F_OK) == 0 else { return nil }
        return try? LibraryStore(directory: directory)
    }
}
