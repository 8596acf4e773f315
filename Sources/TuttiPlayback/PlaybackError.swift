public import TuttiCore

/// Why a renderer, a synchronizer or an output does not do what it was asked.
public enum PlaybackError: Error, Sendable, Equatable {
    /// A rate that is no finite number, or is negative.
    case invalidRate
    /// A rate other than 0 and 0.5 … 2.
    case unsupportedRate(Double)
    /// A media time before the timeline's origin.
    case negativeTime(MediaTime)
    /// A buffer that ends, or an instant that lies, more than 68 years away.
    case timeOutOfRange
    /// No decoder takes the format; the text says why.
    case unsupportedFormat(String)
    /// A renderer holds as much as it may; flush, or wait until it asks for more.
    case bufferFull
    /// The renderer belongs to a synchronizer already.
    case alreadyAttached
    /// The route runs on another clock than the synchronizer, or than the route before.
    case otherClock
    /// An observer's interval is not positive, or it has no times.
    case invalidObserver
    /// The output cannot be opened or went away; the text says why.
    case output(String)
    /// An offline output was asked for a format, or a number of frames, that it does not make.
    case invalidRendering(String)
    /// An item of a queue cannot be opened or read; the text says which and why.
    case media(String)
}

extension PlaybackError: CustomStringConvertible {
    /// What happened, in one line.
    public var description: String {
        switch self {
        case .invalidRate: "a rate must be a finite number and not negative"
        case .unsupportedRate(let rate): "the rate \(rate) is not supported; use 0, or 0.5 to 2"
        case .negativeTime(let time): "the media time \(time.seconds) s is before the start of the timeline"
        case .timeOutOfRange: "the time is more than 68 years away"
        case .unsupportedFormat(let reason): reason
        case .bufferFull: "the renderer's buffer is full"
        case .alreadyAttached: "the renderer already belongs to a synchronizer"
        case .otherClock: "the route uses another clock"
        case .invalidObserver: "a time observer needs a positive interval or a list of times"
        case .output(let reason), .invalidRendering(let reason), .media(let reason): reason
        }
    }
}
