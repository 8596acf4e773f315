/// Memory of planes; silence at first.
package struct PlaneMemory: ~Copyable {
    /// The planes, to be used while this is there.
    package let planes: Planes
    /// Frames of each.
    package let frames: Int

    /// Planes of silence; of one frame at least.
    package init(channels: Int, frames: Int) {
        self.frames = max(1, frames)
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channels)
        for channel in 0..<channels {
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: self.frames)
            plane.initialize(repeating: 0, count: self.frames)
            (pointers + channel).initialize(to: plane)
        }
        planes = Planes(pointers, count: channels)
    }

    deinit {
        for channel in 0..<planes.count { planes[channel].deallocate() }
        planes.channels.deallocate()
    }
}
