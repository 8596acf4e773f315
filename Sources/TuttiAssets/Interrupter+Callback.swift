#if FFmpeg
import CFFmpegFormat

extension Interrupter {
    /// What libavformat asks whether to give up; it does not keep this object alive.
    var callback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                return Unmanaged<Interrupter>.fromOpaque(opaque).takeUnretainedValue().shouldStop ? 1 : 0
            }, opaque: Unmanaged.passUnretained(self).toOpaque())
    }
}
#endif
