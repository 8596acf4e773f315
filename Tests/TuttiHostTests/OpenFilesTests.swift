import Glibc
import Testing
import TuttiHost

/// How many files and connections a process may have open.
@Suite struct OpenFilesTests {
    @Test("all that the system permits are allowed, and twice is as good as once")
    func all() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        #expect(getrlimit(resource, &limit) == 0)
        // One less does no harm to what else runs in this process.
        limit.rlim_cur = limit.rlim_max - 1
        #expect(setrlimit(resource, &limit) == 0)
        #expect(OpenFiles.allowAll() == UInt64(limit.rlim_max))
        #expect(OpenFiles.allowAll() == UInt64(limit.rlim_max))
        #expect(getrlimit(resource, &limit) == 0)
        #expect(limit.rlim_cur == limit.rlim_max)
    }
}
