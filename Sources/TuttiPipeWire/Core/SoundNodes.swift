/// The nodes of PipeWire's graph that sound can be had of.
package struct SoundNodes: Sendable {
    /// One of them.
    package struct Node: Sendable, Equatable {
        /// Its number on the graph while it is there.
        package let number: UInt32
        /// What a stream names it by; numbers are used again.
        package let serial: String?
        package let name: String
        /// Whether it plays, so that what it plays is meant.
        package let isSink: Bool
    }

    /// Nodes that are known at most.
    package static let most = 4096
    private static let monitor = ".monitor"

    private var nodes: [UInt32: Node] = [:]

    /// Nothing is known.
    package init() {}

    /// Takes what there is; of no interest is what gives no sound.
    package mutating func add(_ number: UInt32, name: String, mediaClass: String, serial: String?) {
        let isSink = mediaClass.hasPrefix("Audio/Sink") || mediaClass.hasPrefix("Audio/Duplex")
        guard isSink || mediaClass.hasPrefix("Audio/Source") || mediaClass == "Stream/Output/Audio",
            nodes.count < Self.most || nodes[number] != nil
        else { return }
        nodes[number] = Node(number: number, serial: serial, name: name, isSink: isSink)
    }

    /// Forgets what is gone.
    package mutating func remove(_ number: UInt32) { nodes[number] = nil }

    /// The node of a name; what a sink plays may be called `NAME.monitor`, as PulseAudio does. Of several the latest.
    package func node(named name: String) -> Node? {
        let found = nodes.values.filter { node in
            node.name == name || node.isSink && node.name + Self.monitor == name
        }
        return found.max { $0.number < $1.number }
    }
}
