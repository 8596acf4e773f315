import CLab
import Glibc

/// Keeps this machine's processors from sleeping while something is measured, as long as the object lives.
///
/// A processor that sleeps takes tens of microseconds to notice a frame, more on a virtual machine, and only the first
/// frame after a silence pays that: an asymmetry between request and reply. The kernel's wake-up latency limit makes
/// idle processors poll instead; they still go to whoever wants them at once.
package final class WakefulProcessors {
    private let descriptor: Int32

    /// Does nothing where the kernel has no such limit.
    package init() {
        descriptor = clab_open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return }
        var microseconds: Int32 = 0
        _ = write(descriptor, &microseconds, MemoryLayout<Int32>.size)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
