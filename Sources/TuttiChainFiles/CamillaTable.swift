import TuttiChain

/// A table of a CamillaDSP configuration. What is null counts as absent, as there.
struct CamillaTable {
    /// What errors call it.
    let what: String
    let node: ChainNode
    private let values: [String: ChainNode]

    /// - Throws: `ChainError.syntax`.
    init(_ node: ChainNode, _ what: String) throws(ChainError) {
        self.node = node
        self.what = what
        var values: [String: ChainNode] = [:]
        for entry in try node.table(what) where entry.value.content != .null { values[entry.name] = entry.value }
        self.values = values
    }

    subscript(name: String) -> ChainNode? { values[name] }

    /// Checks that there is nothing but these names.
    func check(_ names: [String]) throws(ChainError) {
        let others = try node.table(what).filter { !names.contains($0.name) && $0.value.content != .null }
        guard let other = others.first else { return }
        throw other.value.fault("\(what): \(ChainNode.quoted(other.name)) cannot be taken over")
    }

    func value(_ name: String) throws(ChainError) -> ChainNode {
        guard let value = values[name] else { throw node.fault("\(what) has no \(name)") }
        return value
    }

    func text(_ name: String) throws(ChainError) -> String {
        let value = try value(name)
        guard let text = value.text else { throw value.fault("\(what): \(name) must be a text") }
        return text
    }

    func number(_ name: String) throws(ChainError) -> Double { try value(name).number("\(what): \(name)") }

    func flag(_ name: String) throws(ChainError) -> Bool { try values[name]?.flag("\(what): \(name)") ?? false }

    func table(_ name: String) throws(ChainError) -> CamillaTable { try CamillaTable(value(name), "\(what): \(name)") }

    /// A whole number of channels or the like.
    func count(_ name: String, in range: ClosedRange<Int>) throws(ChainError) -> Int {
        try Self.count(value(name), "\(what): \(name)", in: range)
    }

    static func count(_ node: ChainNode, _ what: String, in range: ClosedRange<Int>) throws(ChainError) -> Int {
        guard let count = Int(exactly: try node.number(what)), range.contains(count) else {
            throw node.fault("\(what) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return count
    }

    /// A gain as a factor: decibels unless `scale` says `linear`, inverted, muted.
    func factor(default gain: Double?) throws(ChainError) -> Double {
        let scale = values["scale"] == nil ? "dB" : try text("scale")
        let isLinear = scale == "linear"
        guard isLinear || scale == "dB" else { throw node.fault("\(what): scale must be dB or linear") }
        let gain = if let gain, values["gain"] == nil { gain } else { try number("gain") }
        // YAML's .inf and .nan are no numbers here, and no factor of what is left is infinite.
        guard abs(gain) <= 150 else { throw node.fault("\(what): the gain is not within -150 and 150") }
        let factor = isLinear ? gain : FilterShape.factor(gain)
        return try flag("mute") ? 0 : try flag("inverted") ? -factor : factor
    }
}
