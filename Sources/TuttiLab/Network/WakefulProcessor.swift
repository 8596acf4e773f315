import CLab
import Glibc

/// The processor that a lab's switch runs on, which the lab keeps from sleeping while something is measured.
///
/// A processor that sleeps takes tens of microseconds to notice a frame, more on a virtual machine, and only the first
/// frame after a silence pays that: an asymmetry between request and reply. The kernel's wake-up latency limit makes an
/// idle processor poll instead; it still goes to whoever wants it at once.
///
/// One processor only. To the host of a virtual machine polling is work, and a machine whose processors all poll has
/// used up its share: it is made to stand still, both processors at once, for 100 ms every few seconds.
enum WakefulProcessor {
    /// The first that this process may run on; nil where that cannot be said.
    private static let number: Int32? = {
        let first = clab_first_processor()
        return first >= 0 ? first : nil
    }()

    /// Keeps the calling thread on that processor.
    static func pinThread() {
        if let number { _ = clab_pin_thread(number) }
    }

    /// Lines of a shell that keep the processor awake as long as the shell lives, whatever labs there are beside it, and
    /// nothing where the kernel has no such limit.
    static let keep = """
        awake=/sys/devices/system/cpu/cpu\(number ?? 0)/power/pm_qos_resume_latency_us
        exec 9>/run/tutti-lab.awake && flock --shared 9
        { echo n/a >"$awake"; } 2>/dev/null

        """

    /// The lines that let it sleep again, unless another lab keeps it awake.
    static let release = """

        flock --exclusive --nonblock 9 && { echo 0 >"$awake"; } 2>/dev/null
        """
}
