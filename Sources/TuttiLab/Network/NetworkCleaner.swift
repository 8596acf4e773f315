import CLab
import Glibc

/// Removes a lab's namespaces and ends what runs in them, however the lab's process goes away.
///
/// A shell of its own waits on a pipe from the lab. The pipe closes when the lab lets go of it, and by the kernel when
/// the lab crashes or is killed; then the shell kills the processes inside the lab's namespaces and deletes these. So
/// there is one way to clean up and every way out takes it.
final class NetworkCleaner {
    private let process: ChildProcess
    private let pipe: Int32
    private var isDone = false

    /// Kills by process id what is inside the namespaces of the labs whose ids begin with `$1`, then deletes them.
    private static let clean = """
        for path in /run/netns/\(NetworkNamespace.prefix)$1*; do
            [ -e "$path" ] || continue
            name=${path##*/}
            for id in $(ip netns pids "$name"); do kill -KILL "$id" 2>/dev/null; done
            ip netns delete "$name"
        done
        """

    /// Starts the shell that waits for this process's end.
    /// - Parameters:
    ///   - lab: the id of the lab that it cleans up after.
    ///   - keepsAwake: whether the switch's processor does not sleep until then.
    init(lab: String, keepsAwake: Bool) throws(LabError) {
        var ends: [Int32] = [-1, -1]
        guard clab_pipe(&ends) == 0 else { throw .system(call: "pipe", errno: errno) }
        let wait = "while read -r _; do :; done\n" + Self.clean
        let script =
            "trap '' INT TERM HUP\n" + (keepsAwake ? WakefulProcessor.keep + wait + WakefulProcessor.release : wait)
        let (input, output) = (ends[0], ends[1])
        defer { close(input) }
        do {
            process = try ChildProcess(
                ["sh", "-c", script, "lab-cleaner", lab + "-"], input: input, ownGroup: true)
        } catch {
            close(output)
            throw error
        }
        pipe = output
    }

    /// Cleans up now; returns when it is done.
    func finish() {
        guard !isDone else { return }
        isDone = true
        close(pipe)
        _ = process.wait()
    }

    deinit {
        finish()
    }

    /// Removes what labs left whose process is gone.
    static func removeStale() throws(LabError) {
        for owner in NetworkNamespace.deadOwners() {
            _ = try ChildProcess(["sh", "-c", clean, "lab-cleaner", "\(owner)."]).wait()
        }
    }
}
