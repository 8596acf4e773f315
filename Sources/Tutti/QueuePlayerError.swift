/// Why a `QueuePlayer` does not do what it was asked, or ended.
public enum QueuePlayerError: Error, Sendable, Equatable {
    /// The queue is empty, or none of its items can be played.
    case nothingToPlay
    /// A room cannot be found, reached or used; the text says which and why.
    case room(String)
    /// A device of this host cannot be opened; the text says which and why.
    case output(String)
    /// The item is not in the queue, or not any more.
    case notInQueue
    /// The item is in the queue already: make another one.
    case alreadyInQueue
    /// It makes no sense now; the text says why.
    case notNow(String)
    /// A value outside of what there is; the text says what there is.
    case invalid(String)
    /// Items were not played, or not to their ends; the text says how many.
    case incomplete(String)
    /// The player was stopped, or its queue was over and it was not to stay.
    case ended
    /// The system says no; the text says why.
    case system(String)
}

extension QueuePlayerError: CustomStringConvertible {
    /// What happened, in one line.
    public var description: String {
        switch self {
        case .nothingToPlay: "there is nothing to play"
        case .notInQueue: "the item is not in the queue"
        case .alreadyInQueue: "the item is already in the queue"
        case .ended: "the player has ended"
        case .room(let reason), .output(let reason), .notNow(let reason), .invalid(let reason),
            .incomplete(let reason), .system(let reason):
            reason
        }
    }
}
