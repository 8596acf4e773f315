import Glibc

/// The open files and connections of this process: how many there may be, and what is written to them.
package enum OpenFiles {
    /// Allows as many as the system permits: a room takes two connections, and the usual 1024 are too few for a
    /// thousand rooms. Where that is not permitted, the limit stays what it is.
    ///
    /// - Returns: how many it is now.
    @discardableResult
    package static func allowAll() -> UInt64 {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        guard limit.rlim_cur < limit.rlim_max else { return UInt64(limit.rlim_cur) }
        let before = limit.rlim_cur
        // The kernel keeps a table as long as the highest number in use, not as the limit.
        limit.rlim_cur = limit.rlim_max
        return setrlimit(resource, &limit) == 0 ? UInt64(limit.rlim_max) : UInt64(before)
    }

    /// Writes everything to an open file; gives the `errno` of a failure, or 0.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                if count >= 0 { done += count } else if errno != EINTR { return errno }
            }
            return 0
        }
    }
}
