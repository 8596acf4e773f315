/// Which programs play into which sinks, as PipeWire tells of its graph.
package struct ProgramNames: Sendable {
    /// What there is on the graph.
    package enum Object: Sendable, Equatable {
        /// A program that is connected.
        case program(name: String)
        /// A stream or a device, of the program with this number.
        case node(program: UInt32)
        /// Sound goes from one node to another.
        case link(from: UInt32, to: UInt32)
    }

    /// Objects that are known at most; of more, sinks know no programs.
    package static let most = 4096
    /// Characters of a program's name.
    package static let longest = 64

    private var objects: [UInt32: Object] = [:]

    /// Nothing is known.
    package init() {}

    /// Takes what there is.
    package mutating func add(_ object: Object, number: UInt32) {
        if objects.count < Self.most || objects[number] != nil { objects[number] = object }
    }

    /// Forgets what is gone.
    package mutating func remove(_ number: UInt32) { objects[number] = nil }

    /// The names of the programs whose sound goes to a node, in one line; nil for none.
    package func programs(playingTo node: UInt32) -> String? {
        var names: Set<String> = []
        for case .link(let from, node) in objects.values {
            guard case .node(let program)? = objects[from], case .program(let name)? = objects[program] else {
                continue
            }
            let shown = name.unicodeScalars.filter { $0.properties.generalCategory != .control }
            let text = String(String.UnicodeScalarView(shown.prefix(Self.longest)))
            if !text.isEmpty { names.insert(text) }
        }
        return names.isEmpty ? nil : names.sorted().prefix(4).joined(separator: ", ")
    }
}
