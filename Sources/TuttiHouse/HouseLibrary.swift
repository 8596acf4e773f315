import Dispatch
import Glibc
package import Logging
import Synchronization
package import TuttiLibrary
package import TuttiRooms

/// The music library of a house, open once for all who ask.
///
/// What is asked of it is done one after the other on a thread of its own: neither the house nor a player waits for the
/// disk that it lies on. Whoever asks while too many wait is refused.
package final class HouseLibrary: Sendable {
    /// Questions that wait at most.
    private static let mostWaiting = 256
    /// Seconds that its end may take.
    private static let farewell = 2.0

    private struct State {
        var store: LibraryStore?
        var waiting = 0
        var isClosed = false
        /// Has changes looked for.
        var look: (@Sendable () -> Void)?
    }

    private let directory: String?
    private let logger: Logger
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tutti.library.ask")

    /// - Parameter directory: where `library.sqlite` is, or will be; nil for a house without a place for one.
    package init(directory: String?, logger: Logger) { (self.directory, self.logger) = (directory, logger) }

    /// Whether somebody has made a library.
    package var exists: Bool { directory.map { access($0 + "/" + LibraryStore.fileName, F_OK) == 0 } ?? false }

    /// The library, opened if need be; nil where nobody has made one.
    ///
    /// - Throws: `LibraryError.store`.
    package func opened() throws(LibraryError) -> LibraryStore? { exists ? try made() : nil }

    /// The library, opened or made if need be; nil where there is no place for one, and after the end.
    ///
    /// - Throws: `LibraryError.store`.
    package func made() throws(LibraryError) -> LibraryStore? {
        guard let directory else { return nil }
        let result: Result<LibraryStore?, LibraryError> = state.withLock { state in
            if state.isClosed { return .success(nil) }
            if let store = state.store { return .success(store) }
            do throws(LibraryError) {
                let store = try LibraryStore(directory: directory)
                for remark in store.remarks { logger.warning("\(remark)") }
                state.store = store
                return .success(store)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Does something with the library, which is nil where nobody has made one.
    ///
    /// - Throws: `.refused` with what is wrong; `.notNow` when too many wait already.
    package func perform<Value: Sendable>(
        _ body: @escaping @Sendable (LibraryStore?) throws(LibraryError) -> Value
    ) async throws(SenderError) -> Value {
        guard enter() else { throw .notNow("the music library has too much to do; try again in a moment") }
        let result: Result<Value, LibraryError> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                let result: Result<Value, LibraryError>
                do throws(LibraryError) {
                    result = .success(try body(try opened()))
                } catch {
                    result = .failure(error)
                }
                state.withLock { $0.waiting -= 1 }
                continuation.resume(returning: result)
            }
        }
        do throws(LibraryError) { return try result.get() } catch { throw SenderError(error) }
    }

    private func enter() -> Bool {
        state.withLock { state in
            guard state.waiting < Self.mostWaiting else { return false }
            state.waiting += 1
            return true
        }
    }

    /// What looks for changes when somebody asks for that; nil for nothing any more.
    package func setLook(_ look: (@Sendable () -> Void)?) { state.withLock { $0.look = look } }

    /// Has changes looked for.
    ///
    /// - Returns: whether somebody looks.
    @discardableResult
    package func look() -> Bool {
        let look = state.withLock(\.look)
        look?()
        return look != nil
    }

    /// Ends the use of the library, once what waits is done; a disk that does not answer is not waited for.
    package func close() {
        let done = DispatchSemaphore(value: 0)
        queue.async { [self] in
            state.withLock { state in
                state.store?.close()
                (state.store, state.isClosed) = (nil, true)
            }
            done.signal()
        }
        _ = done.wait(timeout: .now() + Self.farewell)
    }
}

extension SenderError {
    /// What is wrong with the library, or with what was asked of it.
    init(_ error: LibraryError) {
        switch error {
        case .noSuchTrack, .noSuchAlbum, .noSuchName, .nothingFound, .noSuchRoot, .badSticker:
            self = .refused(error.description, exitCode: 3)
        default: self = .refused(error.description, exitCode: 1)
        }
    }
}
