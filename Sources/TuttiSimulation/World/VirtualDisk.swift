import Glibc
import TuttiHost
import TuttiSender

/// A host's disk, which outlives the processes.
final class VirtualDisk: StateFiles, @unchecked Sendable {
    var isFull = false
    /// What players have written down, by group.
    var records: [String: PlayerRecord] = [:]
    private var files: [String: [UInt8]] = [:]

    func read(_ path: String) throws(HostError) -> [UInt8]? { files[path] }

    func write(_ bytes: [UInt8], to path: String) throws(HostError) {
        if isFull { throw .file(action: "write", path: path, code: ENOSPC) }
        files[path] = bytes
    }
}
