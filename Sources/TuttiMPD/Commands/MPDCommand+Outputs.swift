import TuttiCore
import TuttiSchema

/// Rooms, as outputs: those that are enabled are in the client's partition.
extension MPDCommand {
    static let outputs: [MPDCommand] = [
        MPDCommand("outputs", .read, 0...0) { call throws(MPDFault) in
            let partition = try call.partition()
            for output in call.house.model.outputs { call.write(output, in: partition) }
        },
        MPDCommand("enableoutput", .admin, 1...1) { call throws(MPDFault) in
            try call.set(try call.room(), isIn: true)
        },
        MPDCommand("disableoutput", .admin, 1...1) { call throws(MPDFault) in
            try call.set(try call.room(), isIn: false)
        },
        MPDCommand("toggleoutput", .admin, 1...1) { call throws(MPDFault) in
            let room = try call.room()
            try call.set(room, isIn: !(try call.partition().has(room.room)))
        },
        MPDCommand("outputset", .admin, 3...3) { call throws(MPDFault) in
            let room = try call.room().room.name
            switch call.arguments[1] {
            case "volume":
                let volume = try call.integer(call.arguments[2], 0...100)
                try call.ask(ControlRequest(.volume(.to(Double(volume)), room: room)))
            case "muted": try call.ask(ControlRequest(.mute(try call.flag(call.arguments[2]), room: room)))
            default: throw MPDFault(.argument, "an output has the attributes volume and muted")
            }
        },
    ]
}

extension MPDCall {
    fileprivate mutating func write(_ room: MPDRoomOutput, in partition: MPDPartition) {
        output.pair("outputid", room.id)
        output.pair("outputname", room.room.name)
        output.pair("plugin", "tutti")
        output.pair("outputenabled", partition.has(room.room))
        if let volume = room.volume { output.pair("attribute", "volume=\(volume)") }
        if let isMuted = room.room.muted { output.pair("attribute", "muted=\(isMuted ? 1 : 0)") }
    }

    /// The output of a command's first argument.
    func room() throws(MPDFault) -> MPDRoomOutput {
        let id = try integer(arguments[0])
        guard let room = house.model.outputs.first(where: { $0.id == id }) else {
            throw MPDFault(.noSuchThing, "No such audio output")
        }
        return room
    }

    /// Has a room join or leave the client's partition.
    func set(_ room: MPDRoomOutput, isIn wanted: Bool) throws(MPDFault) {
        let partition = try partition()
        guard partition.has(room.room) != wanted else { return }
        // The house in which no group is yet gets one.
        let name = partition.name.isEmpty ? client.partition : partition.name
        if !partition.isNamed {
            // A group that was never given a name is one from now on: its rooms were nowhere else written down.
            var rooms =
                partition.isUnderWay
                ? house.model.rooms(of: partition).map(MPDPartition.fullName) : partition.rooms
            if wanted { rooms.append(MPDPartition.fullName(room.room)) }
            guard rooms.count > 1 || wanted else { throw MPDFault(.system, "it is the last room; use stop") }
            try ask(ControlRequest(.group(.set(name, rooms: rooms))))
            if wanted { return }
        }
        let label = Self.label(of: room.room, in: partition)
        try ask(
            ControlRequest(
                .group(
                    wanted
                        ? .add(name, rooms: [MPDPartition.fullName(room.room)]) : .remove(name, rooms: [label]))))
    }

    /// A room as its group has it.
    private static func label(of room: RoomStatus, in partition: MPDPartition) -> String {
        partition.rooms.first { Names.areSame(MPDPartition.bareName($0), room.name) }.map(MPDPartition.bareName)
            ?? room.name
    }
}
