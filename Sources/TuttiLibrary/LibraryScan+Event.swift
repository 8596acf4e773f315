extension LibraryScan {
    /// What a scan tells.
    package enum Event: Sendable {
        /// How far it has come, some times a second.
        case progress(Progress)
        /// It is over, or was cancelled: what it has done, and what went wrong, a line for each kind.
        case finished(Progress, trouble: [LibraryTrouble], isCancelled: Bool)
    }

    /// How far a scan has come.
    package struct Progress: Sendable, Equatable {
        /// Folders that were looked at.
        package internal(set) var folders = 0
        /// Sound files that were found.
        package internal(set) var found = 0
        /// Files whose tags were read: those that are new or have changed.
        package internal(set) var read = 0
        /// Files of those that could not be read.
        package internal(set) var failed = 0
        /// Files that are gone.
        package internal(set) var removed = 0
        /// Seconds since it began.
        package internal(set) var seconds = 0.0

        package init() {}

        /// Adds that of another folder.
        mutating func add(_ other: Progress) {
            folders += other.folders
            found += other.found
            read += other.read
            failed += other.failed
            removed += other.removed
            seconds += other.seconds
        }

        /// Files read in a second.
        package var rate: Double { seconds > 0 ? Double(read) / seconds : 0 }
    }
}
