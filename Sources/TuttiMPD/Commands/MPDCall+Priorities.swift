import TuttiSchema

/// Priorities: in a shuffled queue, entries that have a higher one play first.
///
/// The service has none. They are kept here, and the queue, whose order is the one in which it plays, is put in theirs.
/// What is not shuffled plays in its order, as in MPD.
extension MPDCall {
    /// Gives entries the priority that the first argument is.
    func prioritize(_ places: [Int], in partition: MPDPartition) throws(MPDFault) {
        let priority = UInt8(try integer(arguments[0], 0...255))
        let queue = partition.queue
        // What has played comes once more if it is raised.
        let raised = places.filter { queue.priorities[queue.entries[$0].id, default: 0] < priority }
        try house.edit { model in model.prioritize(places, priority, in: partition.name) }
        try arrange(again: Set(raised.map { queue.entries[$0].id }))
    }

    /// Puts a shuffled queue in the order of its priorities.
    func arrange(again: Set<UInt64>) throws(MPDFault) {
        let partition = try partition()
        guard partition.options.isShuffled, !partition.queue.priorities.isEmpty else { return }
        let current = partition.current
        let order = partition.queue.prioritized(after: current, again: again)
        guard order.count <= Self.mostMoves else {
            throw MPDFault(.argument, "Tutti moves at most \(Self.mostMoves) tracks at once")
        }
        // The queue as it is after each move.
        var ids = partition.queue.entries.map(\.id)
        let playing = current.map { ids[$0] }
        var last = playing
        for id in order {
            guard let from = ids.firstIndex(of: id) else { continue }
            ids.remove(at: from)
            let target = last.flatMap { ids.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            ids.insert(id, at: target)
            if from != target { try ask(.move(from: .id(id), to: target), of: partition) }
            last = id
        }
    }
}
