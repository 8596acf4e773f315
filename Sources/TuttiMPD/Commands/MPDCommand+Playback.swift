import TuttiCore
import TuttiSchema

/// What controls playback.
extension MPDCommand {
    static let playback: [MPDCommand] = [
        MPDCommand("play", .control, 0...1) { call throws(MPDFault) in
            let partition = try call.partition()
            let text = call.arguments.first ?? "-1"
            try call.play(text == "-1" ? nil : try call.index(text, in: partition), in: partition)
        },
        MPDCommand("playid", .control, 0...1) { call throws(MPDFault) in
            let partition = try call.partition()
            let text = call.arguments.first ?? "-1"
            try call.play(text == "-1" ? nil : try call.index(ofSong: text, in: partition), in: partition)
        },
        MPDCommand("pause", .control, 0...1) { call throws(MPDFault) in
            let partition = try call.partition()
            guard partition.isUnderWay else { return }
            let isPaused = partition.state == "pause"
            let wants = try call.arguments.first.map { text throws(MPDFault) in try call.flag(text) } ?? !isPaused
            if wants != isPaused { try call.ask(wants ? .pause : .resume(), of: partition) }
        },
        MPDCommand("stop", .control, 0...0) { call throws(MPDFault) in
            let partition = try call.partition()
            if partition.isUnderWay { try call.ask(.stop, of: partition) }
        },
        MPDCommand("next", .control, 0...0) { call throws(MPDFault) in
            let partition = try call.partition()
            guard partition.isUnderWay, let current = partition.current else { return }
            let count = partition.queue.entries.count
            // A track that repeats is left all the same.
            let isLast = current + 1 >= count
            if isLast, !partition.options.repeatMode.repeats { return _ = try call.ask(.stop, of: partition) }
            try call.play(isLast ? 0 : current + 1, in: partition)
        },
        MPDCommand("previous", .control, 0...0) { call throws(MPDFault) in
            let partition = try call.partition()
            guard partition.isUnderWay, let current = partition.current else { return }
            let last = partition.queue.entries.count - 1
            try call.play(current > 0 ? current - 1 : partition.options.repeatMode.repeats ? last : 0, in: partition)
        },
        MPDCommand("seek", .control, 2...2) { call throws(MPDFault) in
            let partition = try call.partition()
            let index = try call.index(call.arguments[0], in: partition)
            try call.seek(to: try call.decimal(call.arguments[1]), at: index, in: partition)
        },
        MPDCommand("seekid", .control, 2...2) { call throws(MPDFault) in
            let partition = try call.partition()
            let index = try call.index(ofSong: call.arguments[0], in: partition)
            try call.seek(to: try call.decimal(call.arguments[1]), at: index, in: partition)
        },
        MPDCommand("seekcur", .control, 1...1) { call throws(MPDFault) in
            let partition = try call.partition()
            guard partition.isUnderWay else { throw MPDFault(.argument, "Not playing") }
            let text = call.arguments[0]
            let isRelative = text.hasPrefix("+") || text.hasPrefix("-")
            let seconds = try call.decimal(text)
            if isRelative {
                let distance = max(seconds, -partition.position(at: call.house.now))
                return _ = try call.ask(.seek(.by(try call.time(distance))), of: partition)
            }
            try call.ask(.seek(.to(try call.time(seconds))), of: partition)
        },
        MPDCommand("setvol", .control, 1...1) { call throws(MPDFault) in
            try call.setVolume(try call.integer(call.arguments[0], 0...100))
        },
        MPDCommand("volume", .control, 1...1) { call throws(MPDFault) in
            let partition = try call.partition()
            guard let volume = call.house.model.volume(of: partition) else {
                throw MPDFault(.system, "no room of this partition answers")
            }
            let change = try call.integer(call.arguments[0], -100...100)
            try call.setVolume(min(max(volume + change, 0), 100))
        },
        MPDCommand("getvol", .read, 0...0) { call throws(MPDFault) in
            let partition = try call.partition()
            if let volume = call.house.model.volume(of: partition) { call.output.pair("volume", volume) }
        },
    ]
}

extension MPDCall {
    /// Plays an entry, or the one that it is at.
    func play(_ index: Int?, in partition: MPDPartition) throws(MPDFault) {
        if let index { try ask(.jump(.id(partition.queue.entries[index].id)), of: partition) }
        if partition.state == "play" || partition.queue.entries.isEmpty { return }
        try ask(.resume(place: partition.isUnderWay ? nil : partition.place), of: partition)
    }

    /// Plays an entry from a place in it. What was paused stays so.
    fileprivate func seek(to seconds: Double, at index: Int, in partition: MPDPartition) throws(MPDFault) {
        guard seconds >= 0 else { throw MPDFault(.argument, "Number out of range: \(seconds)") }
        let time = try time(seconds)
        if index != partition.current { try ask(.jump(.id(partition.queue.entries[index].id)), of: partition) }
        if !partition.isUnderWay { try ask(.resume(place: partition.place), of: partition) }
        try ask(.seek(.to(time)), of: partition)
    }

    /// The loudest room gets a volume, and the others keep their distance to it.
    fileprivate func setVolume(_ volume: Int) throws(MPDFault) {
        let partition = try partition()
        let rooms = house.model.rooms(of: partition)
        guard !rooms.isEmpty else { throw MPDFault(.system, "no room of this partition answers") }
        // Whoever makes it louder wants to hear it.
        let isMuted = rooms.allSatisfy { $0.muted == true }
        if partition.isUnderWay || partition.isNamed {
            if isMuted, volume > 0 { try ask(.mute(false, room: nil), of: partition) }
            return _ = try ask(.volume(.balanced(Double(volume)), room: nil), of: partition)
        }
        let loudest = rooms.compactMap(\.volume).max()
        for room in rooms {
            if isMuted, volume > 0 { try ask(ControlRequest(.mute(false, room: room.name))) }
            let change = VolumeChange.balanced(Double(volume)).resolved(loudest: loudest)
            try ask(ControlRequest(.volume(.to(change.applied(to: room.volume ?? Double(volume))), room: room.name)))
        }
    }
}
