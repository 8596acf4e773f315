import Glibc
import TuttiHost

/// A file that is written at given offsets from the render thread: no allocation, and failures are kept, not thrown.
final class RecordingFile {
    let path: String
    private var descriptor: Int32
    /// The `errno` of the first failure; 0 while there is none.
    private(set) var failureCode: Int32 = 0

    /// Opens or makes the file.
    ///
    /// - Throws: `HostError.file`.
    init(path: String, isEmptied: Bool) throws(HostError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (isEmptied ? O_TRUNC : 0), 0o644)
        guard descriptor >= 0 else { throw .file(action: "write", path: path, code: errno) }
    }

    deinit { close() }

    /// What went wrong first, if anything did.
    var failure: HostError? {
        failureCode == 0 ? nil : .file(action: "write", path: path, code: failureCode)
    }

    /// Writes all of `bytes` at `offset`; after a failure does nothing.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        if failureCode == 0 { failureCode = tryWriting(bytes, at: offset) }
    }

    /// Writes over bytes that are there already, which works on a full disk too.
    func overwrite(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        let code = tryWriting(bytes, at: offset)
        if failureCode == 0 { failureCode = code }
    }

    private func tryWriting(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, Int(offset) + done)
            if count > 0 { done += count } else if count == 0 { return ENOSPC } else if errno != EINTR { return errno }
        }
        return 0
    }

    /// Closes the file; a failure that shows only now (a network's disk) is kept too.
    func close() {
        guard descriptor >= 0 else { return }
        if Glibc.close(descriptor) != 0, failureCode == 0 { failureCode = errno }
        descriptor = -1
    }
}
