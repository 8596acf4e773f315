import Foundation
import Glibc
import Synchronization
import TuttiHost

/// Follows changes in the folders of a library: some moments after the last of them, their root is scanned.
///
/// Whatever the kernel does not tell, as of shares that other computers write to, is found by a scan from time to time.
package final class LibraryWatch: Sendable {
    /// How long things are left alone.
    package struct Patience: Sendable {
        /// Seconds without a change before a scan.
        package var quiet: Double
        /// Seconds after the first change before one at the latest, as while an album is being copied.
        package var busy: Double
        /// Seconds between scans of everything.
        package var idle: Double
        /// Seconds in which a folder that is scanned must answer; after that, the others are looked at without it.
        package var hanging: Double

        /// Two seconds, a minute, a quarter of an hour and two minutes by default.
        package init(quiet: Double = 2, busy: Double = 60, idle: Double = 900, hanging: Double = 120) {
            (self.quiet, self.busy, self.idle, self.hanging) = (quiet, busy, idle, hanging)
        }
    }

    private let store: LibraryStore
    private let patience: Patience
    private let bell: Bell
    private let isStopped = Atomic(false)
    private let isAsked = Atomic(false)
    private let report: @Sendable (LibraryScan.Event) -> Void

    /// Scans everything, and follows changes from then on, on a thread of its own, until `stop`.
    ///
    /// - Parameter report: called from that thread. Trouble that was reported is so again only after it was over.
    /// - Throws: `.store` when the kernel gives no means to follow changes.
    package init(
        _ store: LibraryStore, patience: Patience = Patience(),
        report: @escaping @Sendable (LibraryScan.Event) -> Void
    ) throws(LibraryError) {
        (self.store, self.patience, self.report) = (store, patience, report)
        let watches: FolderWatches
        do {
            bell = try Bell()
            watches = try FolderWatches()
        } catch {
            throw .store(error.description)
        }
        let loop = Loop(watches, bell.takeReadingEnd())
        let thread = Thread { [self] in run(loop) }
        thread.name = "tutti-library"
        thread.start()
    }

    /// Ends it, soon.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
        bell.ring()
    }

    /// Scans everything, soon.
    package func look() {
        isAsked.store(true, ordering: .relaxed)
        bell.ring()
    }

    /// What the thread has. Handed to it once.
    private final class Loop: @unchecked Sendable {
        var watches: FolderWatches
        let bell: Int32
        /// Roots to scan, with when the first change was.
        var dirty: [Int64: ContinuousClock.Instant] = [:]
        var lastChange = ContinuousClock.now
        var lastScan: ContinuousClock.Instant?
        /// Scans of roots that did not answer, by the roots' ids.
        var hanging: [Int64: RootScan] = [:]
        /// What has been reported and is still so.
        var told: [LibraryTrouble] = []

        init(_ watches: consuming FolderWatches, _ bell: Int32) {
            self.watches = watches
            self.bell = bell
        }

        deinit { close(bell) }
    }

    private var hasToStop: Bool { isStopped.load(ordering: .relaxed) }

    private func run(_ loop: Loop) {
        // What plays comes first.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
        while !hasToStop {
            let now = ContinuousClock.now
            let isAsked = isAsked.exchange(false, ordering: .relaxed)
            if isAsked || loop.lastScan.map({ now - $0 >= .seconds(patience.idle) }) ?? true {
                for root in roots { loop.dirty[root.id] = now }
                (loop.lastScan, loop.lastChange) = (now, now - .seconds(patience.quiet))
            }
            if isDue(loop, now) { scan(roots.filter { loop.dirty[$0.id] != nil }, loop) }
            wait(loop)
            let changes = loop.watches.changes()
            let touched = changes.isOverflown ? roots.map(\.id) : Array(changes.roots)
            if !touched.isEmpty { loop.lastChange = .now }
            for root in touched where loop.dirty[root] == nil { loop.dirty[root] = .now }
        }
    }

    private var roots: [LibraryRoot] { (try? store.roots()) ?? [] }

    private func isDue(_ loop: Loop, _ now: ContinuousClock.Instant) -> Bool {
        guard let first = loop.dirty.values.min(),
            store.scanning.withLock({ $0.subtracting(loop.hanging.keys).isEmpty })
        else { return false }
        return now - loop.lastChange >= .seconds(patience.quiet) || now - first >= .seconds(patience.busy)
    }

    private func scan(_ roots: [LibraryRoot], _ loop: Loop) {
        loop.dirty = [:]
        loop.hanging = loop.hanging.filter { !$0.value.isOver }
        var (trouble, scanned) = ([LibraryTrouble](), [LibraryRoot]())
        var last = LibraryScan.Progress()
        do throws(LibraryError) {
            if !roots.isEmpty { try store.verify() }
        } catch {
            trouble.append(LibraryTrouble(kind: .store, count: 1, example: error.description))
        }
        for root in roots where !hasToStop && trouble.allSatisfy({ $0.kind != .store }) {
            guard loop.hanging[root.id] == nil else {
                trouble.append(Self.silence(of: root))
                continue
            }
            let scan = RootScan(
                root.path, store, niceness: Self.niceness, isCancelled: { [self] in hasToStop }, report: report)
            guard
                case .finished(let progress, let found, _)? = scan.outcome(
                    patience: patience.hanging, isCancelled: { hasToStop })
            else {
                if hasToStop { break }
                loop.hanging[root.id] = scan
                trouble.append(Self.silence(of: root))
                try? store.setReachable(root.id, false)
                continue
            }
            last.add(progress)
            trouble += found
            scanned.append(root)
        }
        guard !roots.isEmpty else { return }
        let new = trouble.filter { !loop.told.contains($0) }
        loop.told = roots.count == self.roots.count ? trouble : loop.told.suffix(Self.mostTold) + new
        report(.finished(last, trouble: new, isCancelled: hasToStop))
        watch(scanned, loop)
    }

    /// What is told of a root that does not answer.
    private static func silence(of root: LibraryRoot) -> LibraryTrouble {
        LibraryTrouble(kind: .goneRoot, count: 1, example: "\(root.path) does not answer")
    }

    /// Follows changes of what is in roots.
    private func watch(_ roots: [LibraryRoot], _ loop: Loop) {
        for root in roots where !hasToStop {
            var isNew = false
            for path in (try? store.folders(of: root.id)) ?? [] {
                if loop.watches.add([root.path, path].joinedPath, of: root.id) { isNew = true }
            }
            // What came into a folder after it was listed and before it was watched is found by one more look.
            if isNew { loop.dirty[root.id] = .now }
        }
    }

    /// Waits for a change, for the end of what is waited for, or to be stopped.
    private func wait(_ loop: Loop) {
        var descriptors = [
            pollfd(fd: loop.watches.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: loop.bell, events: Int16(POLLIN), revents: 0),
        ]
        let seconds = loop.dirty.isEmpty ? min(patience.idle, Self.longest) : patience.quiet
        _ = poll(&descriptors, 2, Int32(min(max(seconds, 0.01), Self.longest) * 1_000))
        guard descriptors[1].revents & Int16(POLLIN) != 0 else { return }
        var byte: UInt8 = 0
        _ = read(loop.bell, &byte, 1)
        bell.answer()
    }

    private static let mostTold = 64
    private static let niceness: Int32 = 10
    /// Seconds; changes of the list of folders are noticed so late at most.
    private static let longest = 30.0
}
