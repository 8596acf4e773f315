import CLinux
import Glibc
import Synchronization

/// Pages of memory that hold a part of a program's or a library's file.
///
/// Most of what a process has in memory when it has started is code and constants that only the start needed. The
/// kernel takes such pages back when memory is short, though not from a process that has locked them, and until then
/// they count as the process's.
package enum ProgramPages {
    /// Gives back the pages of all files of code that this process has loaded. What is needed again comes back at the
    /// first touch, as a rule from the page cache and within a microsecond.
    ///
    /// Only segments that no one may write to: in all others there is something that is not in the file. Where this
    /// process has locked its memory, what is touched again is locked again.
    package static func giveBack() {
        _ = tutti_visit_loaded_objects(
            { object, _, _ in
                guard let object = object?.pointee, let headers = object.headers else { return 0 }
                let isLocked = RealtimeThread.isMemoryLocked.load(ordering: .relaxed)
                let page = UInt(max(sysconf(Int32(_SC_PAGESIZE)), 1))
                for header in UnsafeBufferPointer(start: headers, count: Int(object.header_count))
                where header.p_type == UInt32(PT_LOAD) && header.p_flags & UInt32(PF_W) == 0 {
                    let address = UInt(object.address) &+ UInt(header.p_vaddr)
                    let start = address / page * page
                    let length = Int(address &+ UInt(header.p_memsz) &- start)
                    guard let start = UnsafeMutableRawPointer(bitPattern: start) else { continue }
                    if isLocked { munlock(start, length) }
                    madvise(start, length, MADV_DONTNEED)
                    if isLocked { _ = tutti_mlock_on_fault(start, length) }
                }
                return 0
            }, nil)
    }

    /// The same every minute, for as long as the task runs: a program that is not in a hurry needs little of its file
    /// at a time.
    package static func giveBackRegularly() async {
        var pause = firstPause
        while (try? await Task.sleep(for: pause)) != nil {
            giveBack()
            pause = laterPauses
        }
    }

    /// By then a sender has opened what it plays; and how long it does without what it opens later.
    private static let (firstPause, laterPauses) = (Duration.seconds(10), Duration.seconds(60))
}
