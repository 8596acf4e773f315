/// Which entry of a queue is meant.
package enum QueuePlace: Sendable, Hashable {
    /// The one that is at this index now, from 0.
    case index(Int)
    /// The one of this id, wherever it is now.
    case id(UInt64)
}

extension QueuePlace: ExpressibleByIntegerLiteral {
    package init(integerLiteral index: Int) { self = .index(index) }
}
