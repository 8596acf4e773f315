/// Memory of planes; silence at first.
package struct PlaneMemory: ~Copyable {
    /// The planes, to be used while this is there.
    package let planes: Planes
    /// Frames of each.
    package let frames: Int

    /// Planes of silence; of one frame at least.
    package init(channels: Int, frames: Int) {
        self.init(unfilledChannels: channels, frames: frames)
        for channel in 0..<channels { planes[channel].update(repeating: 0, count: self.frames) }
    }

    /// Planes of whatever was in memory, for whoever writes all of it; of one frame at least.
    package init(unfilledChannels channels: Int, frames: Int) {
        self.frames = max(1, frames)
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channels)
        for channel in 0..<channels {
            (pointers + channel).initialize(to: .allocate(capacity: self.frames))
        }
        planes = Planes(pointers, count: channels)
    }

    deinit {
        for channel in 0..<planes.count { planes[channel].deallocate() }
        planes.channels.deallocate()
    }
}
