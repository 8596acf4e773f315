import Synchronization
import TuttiCore
import TuttiEffects

/// Reads a segment of a file ahead of the render thread.
///
/// Guard of `@unchecked Sendable`: `shared` is atomic; everything else is used by the one who feeds, whom the player
/// lets in one at a time.
final class FileFeed: @unchecked Sendable {
    struct Shared: ~Copyable {
        /// The ring; nil before the first frames.
        let ring = Atomic<UnsafeMutablePointer<FrameRing>?>(nil)
        /// Whether the ring has all frames that are still to be played.
        let isComplete = Atomic<Bool>(false)
    }

    /// Frames read at a time.
    private static let chunk = 8_192
    /// Reads of a file that give nothing before it is given up.
    private static let maximumEmptyReads = 4

    let file: any AudioFileReading
    let shared: UnsafeMutablePointer<Shared>
    private let start: Int64
    private let frameCount: Int64
    private let loops: Bool
    private var position: Int64 = 0
    private var emptyReads = 0
    private var isPlaced = false
    private var converter: FileConverter?
    /// Converted frames that the ring had no room for.
    private var rest: (block: PCMBuffer, used: Int)?
    /// Why the file could not be read to the end.
    private(set) var failure: (any Error)?

    init(_ file: any AudioFileReading, start: Int64, frameCount: Int64, loops: Bool) {
        self.file = file
        self.start = start
        self.frameCount = frameCount
        self.loops = loops
        shared = .allocate(capacity: 1)
        shared.initialize(to: Shared())
    }

    deinit {
        if let ring = shared.pointee.ring.load(ordering: .acquiring) {
            ring.deinitialize(count: 1)
            ring.deallocate()
        }
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Whether nothing more is to be read.
    var isComplete: Bool { shared.pointee.isComplete.load(ordering: .acquiring) }

    /// Frames that are there for the render thread.
    var readyFrames: Int { shared.pointee.ring.load(ordering: .acquiring)?.pointee.readable ?? 0 }

    /// Another feed has read the same file.
    func displace() { isPlaced = false }

    /// Reads until `target` frames are ready, or all are.
    func fill(_ target: Int, format: EngineFormat) {
        guard !isComplete, readyFrames < target else { return }
        let ring = ring(format, target: target)
        while !isComplete, ring.pointee.readable < target {
            if let rest {
                let left = rest.block.frameLength - rest.used
                let written = ring.pointee.write(rest.block.planes, from: rest.used, frames: left)
                self.rest = written == left ? nil : (rest.block, rest.used + written)
                if written == 0 { return }
            } else if position >= frameCount, !loops {
                shared.pointee.isComplete.store(true, ordering: .releasing)
            } else {
                readChunk(format)
            }
        }
        if rest == nil, position >= frameCount, !loops { shared.pointee.isComplete.store(true, ordering: .releasing) }
    }

    private func ring(_ format: EngineFormat, target: Int) -> UnsafeMutablePointer<FrameRing> {
        if let ring = shared.pointee.ring.load(ordering: .acquiring) { return ring }
        let ring = UnsafeMutablePointer<FrameRing>.allocate(capacity: 1)
        ring.initialize(to: FrameRing(channels: format.channelCount, frames: target + 2 * Self.chunk))
        shared.pointee.ring.store(ring, ordering: .releasing)
        return ring
    }

    private func readChunk(_ format: EngineFormat) {
        do {
            if position >= frameCount { (position, isPlaced) = (0, false) }
            if !isPlaced {
                try file.seek(to: start + position)
                isPlaced = true
            }
            let wanted = Int(min(Int64(Self.chunk), frameCount - position))
            let block = try file.read(frameCount: wanted).prefix(wanted)
            position += Int64(block.frameCount)
            emptyReads = block.frameCount == 0 ? emptyReads + 1 : 0
            // The file is shorter than it said.
            if block.frameCount == 0 {
                position = frameCount
                if loops, emptyReads >= Self.maximumEmptyReads { return finish(nil) }
            }
            try convert(block, to: format)
        } catch {
            finish(error)
        }
    }

    private func convert(_ block: PCMBlock, to format: EngineFormat) throws {
        let isEnd = position >= frameCount && !loops
        var converter = self.converter ?? FileConverter(from: file.format, to: format)
        let converted = try converter.convert(block, isEnd: isEnd)
        self.converter = converter
        if let converted { rest = (converted, 0) }
    }

    private func finish(_ error: (any Error)?) {
        failure = error
        (rest, position) = (nil, frameCount)
        shared.pointee.isComplete.store(true, ordering: .releasing)
    }
}

extension PCMBlock {
    /// The block, or its first frames where a file gives more than it was asked for.
    fileprivate func prefix(_ frames: Int) -> PCMBlock {
        guard frameCount > frames else { return self }
        return PCMBlock(
            samples: Array(samples.prefix(frames * channelCount)), channelCount: channelCount, sampleRate: sampleRate)
    }
}
