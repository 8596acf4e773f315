import Glibc

/// Lets other threads run for a moment. Not for the render thread.
func pauseThread() { sched_yield() }
