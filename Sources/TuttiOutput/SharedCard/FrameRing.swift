/// The frames that a shared card is about to take, at the place of each. What nobody has written is silence.
final class FrameRing {
    private let memory: UnsafeMutableRawBufferPointer
    private let frames: Int
    private let frameBytes: Int

    /// A ring of so many frames.
    init(frames: Int, frameBytes: Int) {
        (self.frames, self.frameBytes) = (frames, frameBytes)
        memory = UnsafeMutableRawBufferPointer.allocate(byteCount: frames * frameBytes, alignment: 16)
        clear()
    }

    deinit { memory.deallocate() }

    /// All is silence.
    func clear() { memory.initializeMemory(as: UInt8.self, repeating: 0) }

    /// Puts `count` frames of `bytes`, of `width` bytes each, into those from number `frame` on, from byte `offset` of
    /// each. RT.
    func put(_ bytes: UnsafeRawBufferPointer, count: Int, at frame: Int64, offset: Int, width: Int) {
        guard let source = bytes.baseAddress, let target = memory.baseAddress else { return }
        var place = Int(frame % Int64(frames))
        for index in 0..<min(count, frames, bytes.count / max(width, 1)) {
            (target + place * frameBytes + offset).copyMemory(from: source + index * width, byteCount: width)
            place += 1
            if place == frames { place = 0 }
        }
    }

    /// The frames from number `frame` on that lie next to each other, `count` at most. RT.
    func piece(from frame: Int64, count: Int) -> UnsafeMutableRawBufferPointer {
        let place = Int(frame % Int64(frames))
        let length = min(count, frames - place)
        return UnsafeMutableRawBufferPointer(rebasing: memory[place * frameBytes..<(place + length) * frameBytes])
    }
}
