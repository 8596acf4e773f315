import TuttiCore
import TuttiSchema

/// Groups of rooms, as partitions.
extension MPDCommand {
    static let partitions: [MPDCommand] = [
        MPDCommand("listpartitions", .read, 0...0) { call throws(MPDFault) in
            for name in call.house.model.partitionNames { call.output.pair("partition", name) }
        },
        MPDCommand("partition", .read, 1...1) { call throws(MPDFault) in
            let name = call.arguments[0]
            if name == MPDClient.usualPartition { return call.client.partition = name }
            guard let partition = call.house.model.partition(name) else {
                throw MPDFault(.noSuchThing, "partition does not exist")
            }
            call.client.partition = partition.name
        },
        MPDCommand("newpartition", .admin, 1...1) { call throws(MPDFault) in
            let name = call.arguments[0]
            try call.house.edit { model throws(MPDFault) in try model.make(name) }
        },
        MPDCommand("delpartition", .admin, 1...1) { call throws(MPDFault) in
            let name = call.arguments[0]
            guard name != MPDClient.usualPartition else {
                throw MPDFault(.argument, "cannot delete the default partition")
            }
            guard let partition = call.house.model.partition(name) else {
                throw MPDFault(.noSuchThing, "no such partition")
            }
            guard !partition.isUnderWay else { throw MPDFault(.system, "the partition plays; stop it first") }
            if partition.status != nil, !partition.queue.entries.isEmpty {
                try call.ask(.remove(partition.queue.entries.map { .id($0.id) }), of: partition)
            }
            if partition.isNamed { try call.ask(ControlRequest(.group(.delete(partition.name)))) }
            try call.house.edit { model in model.delete(partition.name) }
        },
        MPDCommand("moveoutput", .admin, 1...1) { call throws(MPDFault) in
            let name = call.arguments[0]
            guard let room = call.house.model.outputs.first(where: { Names.areSame($0.room.name, name) }) else {
                throw MPDFault(.noSuchThing, "No such output")
            }
            try call.set(room, isIn: true)
        },
    ]
}
