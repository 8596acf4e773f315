import Logging
import Synchronization
import TuttiHouse
import TuttiLibrary

/// Keeps the music library true to its folders while a service runs, once somebody has added music.
struct LibraryKeeper {
    let library: HouseLibrary
    let logger: Logger
    /// Called when files of the library have come, gone or changed, as far as this service can know.
    let onChange: @Sendable () async -> Void

    /// Seconds between two looks for a library that somebody has made meanwhile.
    private static let pause = 2

    /// Runs until the task is cancelled.
    func run() async {
        // Another program has scanned a library that was not there before, or that it asks to look at: nothing is new to
        // the scan here then, but to whoever watches.
        let told = Flag(!library.exists)
        while !library.exists {
            guard (try? await Task.sleep(for: .seconds(Self.pause))) != nil else { return }
        }
        do throws(LibraryError) {
            guard let store = try library.opened() else { return }
            let watch = try LibraryWatch(store) { [logger, onChange] event in
                guard case .finished(let progress, let trouble, _) = event else { return }
                Self.log(progress, trouble, logger)
                guard told.takeSet() || progress.read > 0 || progress.removed > 0 else { return }
                Task { await onChange() }
            }
            library.setLook {
                told.set()
                watch.look()
            }
            // Nothing but the end of the service ends it.
            while (try? await Task.sleep(for: .seconds(3_600))) != nil {}
            library.setLook(nil)
            watch.stop()
        } catch {
            logger.error("changes of the music library are not followed: \(error)")
        }
    }

    private static func log(_ progress: LibraryScan.Progress, _ trouble: [LibraryTrouble], _ logger: Logger) {
        for line in trouble { logger.warning("music library: \(line)") }
        guard progress.read > 0 || progress.removed > 0 else { return }
        logger.info(
            "music library changed",
            metadata: [
                "tracks": "\(progress.found)", "read": "\(progress.read)", "removed": "\(progress.removed)",
            ])
    }

    /// Something that is to be told once.
    private final class Flag: Sendable {
        private let isSet: Atomic<Bool>

        init(_ isSet: Bool) { self.isSet = Atomic(isSet) }

        func set() { isSet.store(true, ordering: .relaxed) }
        func takeSet() -> Bool { isSet.exchange(false, ordering: .relaxed) }
    }
}
