package import TuttiCore

/// Decoded pictures that follow on without a gap, by their times: what decoding gave since it began at one place.
package struct FrameRun: Sendable {
    /// What is shown at a time.
    package enum Answer: Sendable {
        /// This one.
        case frame(VideoFrame)
        /// Nothing yet: the picture has not been decoded.
        case unknown
        /// Nothing: the time lies before the first picture.
        case none
    }

    package private(set) var frames: [VideoFrame] = []
    /// Whether there is nothing behind the last one.
    package var isComplete = false

    /// A run of nothing yet.
    package init() {}

    /// Takes the next picture. Decoders give them in the order of their times; what is out of order replaces what is
    /// behind it.
    package mutating func append(_ frame: VideoFrame) {
        while let last = frames.last, last.presentationTime >= frame.presentationTime { frames.removeLast() }
        frames.append(frame)
    }

    /// What is shown at `time`.
    package func frame(at time: MediaTime) -> Answer {
        guard let index = frames.lastIndex(where: { $0.presentationTime <= time }) else {
            return frames.isEmpty && !isComplete ? .unknown : .none
        }
        let frame = frames[index]
        let isFollowed = index + 1 < frames.count || isComplete
        let isLong = frame.duration.map { frame.presentationTime + $0 > time } ?? false
        return isFollowed || isLong ? .frame(frame) : .unknown
    }

    /// Whether it is known what is shown at `time`.
    package func holds(_ time: MediaTime) -> Bool {
        if case .frame = frame(at: time) { return true }
        return false
    }

    /// The last picture that has come whose time is `time` or before it, whether another one follows before that or not.
    package func last(before time: MediaTime) -> VideoFrame? { frames.last { $0.presentationTime <= time } }

    /// Pictures whose times are behind `time`.
    package func frames(after time: MediaTime) -> ArraySlice<VideoFrame> {
        frames[(frames.lastIndex { $0.presentationTime <= time } ?? -1) + 1..<frames.endIndex]
    }

    /// Drops the pictures whose time is `time` or later.
    package mutating func remove(from time: MediaTime) {
        frames.removeAll { $0.presentationTime >= time }
        isComplete = false
    }

    /// Drops what is not shown at `time` or later.
    ///
    /// - Returns: how many were dropped.
    @discardableResult
    package mutating func remove(before time: MediaTime) -> Int {
        guard let index = frames.lastIndex(where: { $0.presentationTime <= time }), index > 0 else { return 0 }
        frames.removeFirst(index)
        return index
    }
}
