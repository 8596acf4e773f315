import TuttiSchema

/// Edits of the queue.
extension MPDCommand {
    static let queue: [MPDCommand] = [
        MPDCommand("add", .add, 1...2) { call throws(MPDFault) in try call.add(isOne: false) },
        MPDCommand("addid", .add, 1...2) { call throws(MPDFault) in
            guard let id = try call.add(isOne: true).first else { throw MPDFault(.system, "it was not added") }
            call.output.pair("Id", MPDQueue.songID(of: id))
        },
        MPDCommand("clear", .control, 0...0) { call throws(MPDFault) in
            try call.clear(try call.partition())
        },
        MPDCommand("delete", .control, 1...1) { call throws(MPDFault) in
            let partition = try call.partition()
            try call.remove(try call.range(call.arguments[0], of: partition.queue.entries.count), from: partition)
        },
        MPDCommand("deleteid", .control, 1...1) { call throws(MPDFault) in
            let partition = try call.partition()
            let index = try call.index(ofSong: call.arguments[0], in: partition)
            try call.remove(index..<(index + 1), from: partition)
        },
        MPDCommand("move", .control, 2...2) { call throws(MPDFault) in
            let partition = try call.partition()
            let range = try call.range(call.arguments[0], of: partition.queue.entries.count)
            try call.move(range, to: call.arguments[1], in: partition)
        },
        MPDCommand("moveid", .control, 2...2) { call throws(MPDFault) in
            let partition = try call.partition()
            let index = try call.index(ofSong: call.arguments[0], in: partition)
            try call.move(index..<(index + 1), to: call.arguments[1], in: partition)
        },
        MPDCommand("swap", .control, 2...2) { call throws(MPDFault) in
            let partition = try call.partition()
            let first = try call.index(call.arguments[0], in: partition)
            try call.swap(first, try call.index(call.arguments[1], in: partition), in: partition)
        },
        MPDCommand("swapid", .control, 2...2) { call throws(MPDFault) in
            let partition = try call.partition()
            let first = try call.index(ofSong: call.arguments[0], in: partition)
            try call.swap(first, try call.index(ofSong: call.arguments[1], in: partition), in: partition)
        },
        MPDCommand("shuffle", .control, 0...1) { call throws(MPDFault) in
            let partition = try call.partition()
            let count = partition.queue.entries.count
            if let text = call.arguments.first, try call.range(text, of: count) != 0..<count {
                throw MPDFault(.argument, "Tutti shuffles the whole queue only")
            }
            guard count > 1 else { return }
            try call.ask(.shuffle(true), of: partition)
            try call.arrange(again: [])
        },
        MPDCommand("prio", .control, 2...MPDLimits.words) { call throws(MPDFault) in
            let partition = try call.partition()
            var places: [Int] = []
            for text in call.arguments.dropFirst() {
                places += try call.range(text, of: partition.queue.entries.count)
            }
            try call.prioritize(places, in: partition)
        },
        MPDCommand("prioid", .control, 2...MPDLimits.words) { call throws(MPDFault) in
            let partition = try call.partition()
            var places: [Int] = []
            for text in call.arguments.dropFirst() { places.append(try call.index(ofSong: text, in: partition)) }
            try call.prioritize(places, in: partition)
        },
        refused("rangeid", .argument, "Tutti cannot change which part of a track plays"),
        refused("addtagid", .argument, "Tutti cannot change the tags of a track"),
        refused("cleartagid", .argument, "Tutti cannot change the tags of a track"),
    ]
}

extension MPDCall {
    @discardableResult
    fileprivate mutating func add(isOne: Bool) throws(MPDFault) -> [UInt64] {
        let tracks = try inputs(arguments[0], isOne: isOne)
        guard arguments.count == 2 else { return try add(tracks) }
        let partition = try partition()
        return try add(
            tracks, at: try position(arguments[1], in: partition, upTo: partition.queue.entries.count))
    }

    /// Empties a queue, which ends what plays. Its rooms stay those of the partition.
    func clear(_ partition: MPDPartition) throws(MPDFault) {
        // A queue whose last track is taken out plays on for a moment; what is added then would come too late.
        if partition.isUnderWay { try ask(.stop, of: partition) }
        let entries = try self.partition().queue.entries
        try house.edit { model in model.keep(partition.name) }
        if !entries.isEmpty { try ask(.remove(entries.map { .id($0.id) }), of: partition) }
    }

    fileprivate func remove(_ range: Range<Int>, from partition: MPDPartition) throws(MPDFault) {
        let entries = partition.queue.entries
        guard range.count < entries.count else { return try clear(partition) }
        if !range.isEmpty { try ask(.remove(entries[range].map { .id($0.id) }), of: partition) }
    }

    fileprivate func move(_ range: Range<Int>, to text: String, in partition: MPDPartition) throws(MPDFault) {
        let entries = partition.queue.entries
        guard range.count <= Self.mostMoves else {
            throw MPDFault(.argument, "Tutti moves at most \(Self.mostMoves) tracks at once")
        }
        var target: Int
        if text.hasPrefix("+") || text.hasPrefix("-") {
            target = try position(text, in: partition, upTo: entries.count)
            if let current = partition.current, range.contains(current) {
                throw MPDFault(.argument, "Cannot move current song relative to itself")
            }
            // The place is counted without what is moved.
            if range.upperBound <= target { target -= range.count }
        } else {
            target = try integer(text)
        }
        guard target + range.count <= entries.count else { throw MPDFault(.argument, "Bad song index") }
        let moved = entries[range].map(\.id).enumerated()
        let inTurn = target < range.lowerBound ? Array(moved) : moved.reversed()
        for (offset, id) in inTurn where target != range.lowerBound {
            try ask(.move(from: .id(id), to: target + offset), of: partition)
        }
    }

    fileprivate func swap(_ one: Int, _ other: Int, in partition: MPDPartition) throws(MPDFault) {
        let (first, second) = (min(one, other), max(one, other))
        guard first != second else { return }
        let entries = partition.queue.entries
        try ask(.move(from: .id(entries[second].id), to: first), of: partition)
        if second - first > 1 { try ask(.move(from: .id(entries[first].id), to: second), of: partition) }
    }
}
