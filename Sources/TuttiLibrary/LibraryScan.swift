import Dispatch
import Foundation
import Synchronization
import TuttiAssets

/// Brings the library in line with its folders: files that are new or have changed are read, and those that are gone
/// are removed where their folder can be read.
package struct LibraryScan: Sendable {
    let store: LibraryStore
    let threads: Int
    /// Whether the store is known to be whole.
    var isVerified = false

    /// - Parameter threads: files that are read at once; as many as there are processors by default.
    package init(_ store: LibraryStore, threads: Int = ProcessInfo.processInfo.activeProcessorCount) {
        self.store = store
        self.threads = min(max(1, threads), Self.maximumThreads)
    }

    private static let maximumThreads = 16

    /// Scans on a thread of its own; ends when the sequence is dropped, with what has been stored until then.
    ///
    /// - Parameter roots: the paths of the folders to scan; all of the library by default.
    package func events(of roots: [String]? = nil) -> AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let isCancelled = Flag()
            continuation.onTermination = { _ in isCancelled.set() }
            DispatchQueue.global(qos: .utility).async {
                run(roots, isCancelled: { isCancelled.isSet }) { continuation.yield($0) }
                continuation.finish()
            }
        }
    }

    /// Scans on this thread.
    ///
    /// - Parameters:
    ///   - roots: the paths of the folders to scan; all of the library by default.
    ///   - isCancelled: asked often, from any thread; the scan ends soon when it says so.
    ///   - report: called from this thread; the last event is `.finished`.
    package func run(
        _ roots: [String]? = nil, isCancelled: @escaping @Sendable () -> Bool = { false },
        report: (Event) -> Void
    ) {
        let task = ScanTask(store, threads: threads, isCancelled: isCancelled)
        do throws(LibraryError) {
            if !isVerified { try store.verify() }
            for root in try store.roots() where roots?.contains(root.path) ?? true {
                if isCancelled() { break }
                guard store.scanning.withLock({ $0.insert(root.id).inserted }) else {
                    task.fail(.store, "\(root.path): \(LibraryError.busy)")
                    continue
                }
                defer { store.scanning.withLock { _ = $0.remove(root.id) } }
                task.scan(root) { report(.progress($0)) }
            }
        } catch {
            task.fail(.store, error.description)
        }
        report(task.finished)
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }
}
