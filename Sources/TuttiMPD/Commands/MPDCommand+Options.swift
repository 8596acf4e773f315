import TuttiCore
import TuttiSchema

/// What is set for a queue.
extension MPDCommand {
    static let options: [MPDCommand] = [
        MPDCommand("repeat", .control, 1...1) { call throws(MPDFault) in
            let partition = try call.partition()
            let isOn = try call.flag(call.arguments[0])
            let isSingle = partition.options.repeatMode.isSingle
            guard isOn != partition.options.repeatMode.repeats else { return }
            try call.ask(.repeat(RepeatMode(repeats: isOn, isSingle: isSingle)), of: partition)
        },
        MPDCommand("single", .control, 1...1) { call throws(MPDFault) in
            let partition = try call.partition()
            guard call.arguments[0] != "oneshot" else {
                throw MPDFault(.argument, "Tutti has no single mode for one track")
            }
            let isOn = try call.flag(call.arguments[0])
            let repeats = partition.options.repeatMode.repeats
            guard isOn != partition.options.repeatMode.isSingle else { return }
            try call.ask(.repeat(RepeatMode(repeats: repeats, isSingle: isOn)), of: partition)
        },
        MPDCommand("random", .control, 1...1) { call throws(MPDFault) in
            let partition = try call.partition()
            let isOn = try call.flag(call.arguments[0])
            guard isOn != partition.options.isShuffled else { return }
            try call.ask(.shuffle(isOn), of: partition)
            if isOn { try call.arrange(again: []) }
        },
        MPDCommand("consume", .control, 1...1) { call throws(MPDFault) in
            let partition = try call.partition()
            guard call.arguments[0] != "oneshot" else {
                throw MPDFault(.argument, "Tutti has no consume mode for one track")
            }
            let isOn = try call.flag(call.arguments[0])
            if isOn != partition.options.consumes { try call.ask(.consume(isOn), of: partition) }
        },
        MPDCommand("crossfade", .control, 1...1) { call throws(MPDFault) in
            try call.ask(.crossfade(Double(try call.integer(call.arguments[0]))), of: try call.partition())
        },
        MPDCommand("mixrampdb", .control, 1...1) { call throws(MPDFault) in
            guard try call.decimal(call.arguments[0]) != 0 else { return }
            throw MPDFault(.argument, "Tutti has no MixRamp; use crossfade")
        },
        MPDCommand("mixrampdelay", .control, 1...1) { call throws(MPDFault) in
            // That turns it off.
            if call.arguments[0].lowercased() == "nan" { return }
            guard try call.decimal(call.arguments[0]) > 0 else { return }
            throw MPDFault(.argument, "Tutti has no MixRamp; use crossfade")
        },
        MPDCommand("replay_gain_mode", .control, 1...1) { call throws(MPDFault) in
            guard let mode = LoudnessNormalization(rawValue: call.arguments[0]) else {
                throw MPDFault(
                    .argument, call.arguments[0] == "auto" ? "Tutti has off, track and album" : "Unrecognized mode")
            }
            try call.ask(.normalise(mode), of: try call.partition())
        },
        MPDCommand("replay_gain_status", .read, 0...0) { call throws(MPDFault) in
            call.output.pair("replay_gain_mode", try call.partition().options.normalization.rawValue)
        },
        MPDCommand("clearerror", .control, 0...0) { call throws(MPDFault) in
            let name = try call.partition().name
            try call.house.edit { model in model.failed(nil, in: name) }
        },
        MPDCommand("status", .read, 0...0) { call throws(MPDFault) in try call.writeStatus() },
        MPDCommand("stats", .read, 0...0) { call throws(MPDFault) in
            let statistics = call.library.statistics()
            call.output.pair("artists", statistics.artists)
            call.output.pair("albums", statistics.albums)
            call.output.pair("songs", statistics.songs)
            call.output.pair("uptime", Int(max(0, call.house.now - call.commander.begun)))
            call.output.pair("db_playtime", Int(min(max(0, statistics.duration), 1e12)))
            if let updated = statistics.updated { call.output.pair("db_update", updated) }
            call.output.pair("playtime", 0)
        },
    ]
}

extension MPDCall {
    fileprivate mutating func writeStatus() throws(MPDFault) {
        let model = house.model
        let partition = try partition()
        let options = partition.options
        if let volume = model.volume(of: partition) { output.pair("volume", volume) }
        output.pair("repeat", options.repeatMode.repeats)
        output.pair("random", options.isShuffled)
        output.pair("single", options.repeatMode.isSingle)
        output.pair("consume", options.consumes)
        output.pair("partition", client.partition)
        output.pair("playlist", partition.queue.version)
        output.pair("playlistlength", partition.queue.entries.count)
        output.pair("mixrampdb", 0)
        output.pair("state", partition.state)
        if options.crossfade > 0, options.crossfade <= 60 { output.pair("xfade", Int(options.crossfade.rounded())) }
        writeCurrent(of: partition)
        if let job = library.statistics().job { output.pair("updating_db", job) }
        if let error = partition.error { output.pair("error", error) }
    }

    private mutating func writeCurrent(of partition: MPDPartition) {
        let entries = partition.queue.entries
        if let current = partition.current {
            output.pair("song", current)
            output.pair("songid", MPDQueue.songID(of: entries[current].id))
        }
        if partition.isUnderWay {
            let elapsed = min(partition.position(at: house.now), 1e9)
            let duration = partition.status?.item?.duration.flatMap { (0...1e9).contains($0) ? $0 : nil }
            output.pair("time", "\(Int(elapsed.rounded())):\(Int((duration ?? 0).rounded()))")
            output.pair("elapsed", seconds: elapsed)
            if let duration { output.pair("duration", seconds: duration) }
            if let format = partition.status?.rooms.lazy.compactMap(\.format).first { output.pair("audio", format) }
        }
        if let next = partition.next {
            output.pair("nextsong", next)
            output.pair("nextsongid", MPDQueue.songID(of: entries[next].id))
        }
    }
}

extension RepeatMode {
    /// What MPD calls so; it has two switches for it.
    fileprivate init(repeats: Bool, isSingle: Bool) {
        self = repeats ? (isSingle ? .one : .all) : (isSingle ? .single : .off)
    }

    var repeats: Bool { self == .all || self == .one }
    fileprivate var isSingle: Bool { self == .one || self == .single }
}
