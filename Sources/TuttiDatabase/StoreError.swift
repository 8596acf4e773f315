import GRDB

/// Why a store cannot be used.
package enum StoreError: Error, Equatable {
    /// It can be neither read nor written; the text is a line that names it.
    case unusable(String)
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unusable(let line): line
        }
    }
}

extension StoreError {
    /// What SQLite or the system says of the store at `path`.
    package init(_ error: any Error, path: String) {
        if let error = error as? StoreError {
            self = error
            return
        }
        guard let error = error as? DatabaseError else {
            self = .unusable("the store \(path) cannot be used: \(error)")
            return
        }
        let reason = error.message ?? "\(error.resultCode)"
        self = .unusable(
            error.resultCode == .SQLITE_FULL
                ? "the store \(path) cannot be written: the disk is full"
                : "the store \(path) cannot be used: \(reason)")
    }
}
