/// The disk that small files of state are kept on.
package protocol StateFiles: Sendable {
    /// The content of the file at `path`, or nil when there is none.
    ///
    /// - Throws: `HostError.file` naming the path.
    func read(_ path: String) throws(HostError) -> [UInt8]?

    /// Replaces the file at `path`, whole or not at all.
    ///
    /// - Throws: `HostError.file` naming the path; the old file is untouched then.
    func write(_ bytes: [UInt8], to path: String) throws(HostError)
}

/// This host's disk.
package struct SystemFiles: StateFiles {
    package init() {}

    package func read(_ path: String) throws(HostError) -> [UInt8]? { try AtomicFile.read(path) }

    package func write(_ bytes: [UInt8], to path: String) throws(HostError) { try AtomicFile.write(bytes, to: path) }
}
