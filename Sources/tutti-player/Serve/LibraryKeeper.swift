import Glibc
import Logging
import TuttiLibrary

/// Keeps the music library true to its folders while a service runs, once somebody has added music.
struct LibraryKeeper {
    let directory: String
    let logger: Logger

    /// Seconds between two looks for a library that somebody has made meanwhile.
    private static let pause = 10

    /// Runs until the task is cancelled.
    func run() async {
        while access(directory + "/" + LibraryStore.fileName, F_OK) != 0 {
            guard (try? await Task.sleep(for: .seconds(Self.pause))) != nil else { return }
        }
        do throws(LibraryError) {
            let library = try LibraryStore(directory: directory)
            for remark in library.remarks { logger.warning("\(remark)") }
            let watch = try LibraryWatch(library) { [logger] in Self.log($0, logger) }
            // Nothing but the end of the service ends it.
            while (try? await Task.sleep(for: .seconds(3_600))) != nil {}
            watch.stop()
            library.close()
        } catch {
            logger.error("changes of the music library are not followed: \(error)")
        }
    }

    private static func log(_ event: LibraryScan.Event, _ logger: Logger) {
        guard case .finished(let progress, let trouble, _) = event else { return }
        for line in trouble { logger.warning("music library: \(line)") }
        guard progress.read > 0 || progress.removed > 0 else { return }
        logger.info(
            "music library changed",
            metadata: [
                "tracks": "\(progress.found)", "read": "\(progress.read)", "removed": "\(progress.removed)",
            ])
    }
}
