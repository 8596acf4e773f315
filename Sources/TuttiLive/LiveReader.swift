import TuttiCore

/// One opened source of live sound. Used by one thread.
protocol LiveReader: AnyObject {
    /// Frames a second.
    var sampleRate: Int { get }
    /// Significant bits of a sample.
    var bitDepth: Int { get }
    /// Channels before they are made two.
    var channelCount: Int { get }

    /// Appends what has come, as interleaved stereo at ±1; waits for the first of it as long as told.
    ///
    /// - Returns: frames that were appended.
    /// - Throws: once it is gone. Another reader is to be opened for what comes then.
    func read(into samples: inout [Float], milliseconds: Int32) throws(LiveEnd) -> Int

    /// How many frames had been captured at an instant; nil where only their arrival tells.
    func timing() -> (time: HostTime, frames: Int64)?

    /// Whether its frames come as fast as they are read, so that they have no clock.
    var isUnpaced: Bool { get }
}

/// A reader gives nothing more.
enum LiveEnd: Error, Equatable {
    /// Frames were lost; it goes on.
    case overrun
    /// It is gone, and why.
    case gone(String)
}
