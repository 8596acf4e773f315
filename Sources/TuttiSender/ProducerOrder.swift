import TuttiCore

/// Where the producer is to begin: item `item`, which lies at `start` on the timeline, `offset` into it.
struct ProducerOrder: Sendable {
    /// Counts orders; what was made for an older one is dropped.
    let epoch: Int
    let item: Int
    let start: MediaTime
    let offset: MediaTime
}
