/// The output device of a `CoarseRenderer`; instants are true time, in ns.
struct CoarseDevice {
    var isOpen = false
    /// When it was opened last.
    var openedAt: Int64 = 0
    /// Up to when its position has been read.
    var lastLook: Int64 = 0
    /// Until when it gives nothing after an xrun.
    var silentUntil: Int64 = 0
}
