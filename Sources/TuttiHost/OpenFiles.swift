import Glibc

/// How many files and connections this process may have open.
package enum OpenFiles {
    /// Allows as many as the system permits: a room takes two connections, and the usual 1024 are too few for a thousand rooms. Where that is not
    /// permitted, the limit stays what it is.
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
}
