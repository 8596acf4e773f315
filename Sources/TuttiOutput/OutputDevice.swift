package import TuttiCore

/// What came of waiting for a device. As an answer of `write` the raw values below zero stand for the failures.
package enum OutputWait: Int, Sendable {
    /// There is room for as much as is waited for: a period at first.
    case writable = 1
    /// The time is over.
    case timeout = 0
    /// The device ran dry, or slept with the machine: `recover` gets it going.
    case xrun = -1
    /// The device is gone, or its file takes no more; `failure` says why. Only opening it again can help.
    case lost = -2
}

/// Where a device stands at one instant.
package struct OutputTiming: Sendable, Equatable {
    /// When the position was read.
    package var hostTime: HostTime
    /// Frames that have left the card in this run: frames written, less the delay that the card states. It never goes
    /// back within a run, and is below 0, or above what was written, as long as the card says so.
    package var playedFrames: Int64
    /// Frames written but not yet played: the next frame written is number `playedFrames + queuedFrames` of this run.
    package var queuedFrames: Int64
    /// Frames that `write` takes at once.
    package var writableFrames: Int
    /// Counts runs: one more after each `start` or `recover`.
    package var generation: UInt32
    /// Whether the driver gave the time, rather than this process reading the clock around the question.
    package var isDriverStamp: Bool
    /// How long the question took, in ns: time and position belong together no better than that.
    package var asking: Int64
}

/// Time as a device has it, for threads that wait for the same one: unlike the device it may be used by several threads,
/// and while others use the device.
package protocol OutputSleeper: Sendable {
    /// Now, in ns from any start.
    func now() -> Int64
    /// Passes about so many ns.
    func pause(nanoseconds: Int64)
    /// Waits until a period can be written, or the device has stopped, but no longer than `nanoseconds`; may end before.
    func awaitRoom(nanoseconds: Int64)
}

/// An open card, or what stands for one. Used by one thread.
///
/// A *run* begins with `start` or `recover`: the device gets some silence, which counts as the run's first frames, and
/// starts. Its first frame may leave some time later; its position stands meanwhile. From then on the owner waits, asks
/// for the timing and writes. `wait`, `timing` and `write` allocate nothing, so they suit the render thread.
package protocol OutputDevice: AnyObject {
    /// What the device really does.
    var actual: OutputParameters { get }
    /// Why the device was lost; nil while it was not.
    var failure: OutputError? { get }
    /// For waiting where several threads use the device in turn.
    var sleeper: any OutputSleeper { get }
    /// Begins the first run, on a buffer full of silence.
    func start() throws(OutputError)
    /// Periods for which there must be room before `wait` ends; one in a device that was just opened.
    var wakePeriods: Int { get }
    /// Lets `wait` end once there is room for so many periods. A device that refuses stays as it is: `wakePeriods` says
    /// what holds.
    func setWakePeriods(_ periods: Int)
    /// Waits until `wakePeriods` periods can be written, but no longer than `timeoutNanoseconds` real nanoseconds.
    func wait(timeoutNanoseconds: Int64) -> OutputWait
    /// Where the device stands; nil when it is not running.
    func timing() -> OutputTiming?
    /// Hands over `frames` interleaved frames of `actual.sampleType`, without waiting.
    ///
    /// - Returns: frames taken, which may be fewer; or the raw value of `.xrun` or `.lost`.
    func write(_ bytes: UnsafeRawBufferPointer, frames: Int) -> Int
    /// Begins another run after an xrun, on `silence` frames of silence only, or as many as the device holds: whoever
    /// calls this must write before they have been played. Where others have the same card, there may be more.
    func recover(silence: Int) throws(OutputError)
    /// Stops at once and gives the device back. Nothing else may be called afterwards.
    func close()
}
