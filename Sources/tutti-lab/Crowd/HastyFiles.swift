import TuttiHost

/// Files that are not waited for until the disk has them: a crowd's rooms share a loop, and a disk.
struct HastyFiles: StateFiles {
    func read(_ path: String) throws(HostError) -> [UInt8]? { try AtomicFile.read(path) }

    func write(_ bytes: [UInt8], to path: String) throws(HostError) {
        try AtomicFile.write(bytes, to: path, isDurable: false)
    }
}
