import Foundation
import Logging
import Synchronization
import TuttiHouse
import TuttiLibrary

/// Adds the folders of the settings to the music library. A folder that is not there is tried again; one whose disk does
/// not answer keeps a thread of its own, and nobody else.
struct LibraryFolders {
    let folders: [String]
    let library: HouseLibrary
    let logger: Logger

    /// Seconds between two attempts.
    private static let pause = 60.0

    /// Begins, and returns at once.
    func start() {
        for folder in folders {
            Thread.detachNewThread {
                var isTold = false
                while !add(folder, isTold: &isTold) { Thread.sleep(forTimeInterval: Self.pause) }
            }
        }
    }

    /// - Returns: whether there is nothing more to try.
    private func add(_ folder: String, isTold: inout Bool) -> Bool {
        do throws(LibraryError) {
            guard let store = try library.made() else { return true }
            let (root, old) = try store.add(folder)
            if let old { logger.notice("\(root.path): moved here from \(old)") }
            library.look()
            return true
        } catch {
            if !isTold { logger.warning("\(error)") }
            isTold = true
            guard case .folder = error else { return true }
            return false
        }
    }
}
