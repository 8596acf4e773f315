import TuttiChain

/// Mixers of CamillaDSP.
enum CamillaMixer {
    /// The matrix that a mixer is.
    ///
    /// - Throws: `ChainError` with its line.
    static func matrix(_ node: ChainNode, _ what: String) throws(ChainError) -> ChannelMatrix {
        let mixer = try CamillaTable(node, what)
        try mixer.check(["channels", "mapping", "description", "labels"])
        let counts = try mixer.table("channels")
        let limits = ChannelMatrix.Limits.channelCounts
        let (inputs, outputs) = (try counts.count("in", in: limits), try counts.count("out", in: limits))
        var gains = Array(repeating: Array(repeating: 0.0, count: inputs), count: outputs)
        for node in try mixer.value("mapping").list("\(what): mapping") {
            let mapping = try CamillaTable(node, "\(what): a mapping")
            try mapping.check(["dest", "sources", "mute"])
            let output = try mapping.count("dest", in: 0...outputs - 1)
            let isMuted = try mapping.flag("mute")
            for node in try mapping.value("sources").list("\(what): sources") {
                let source = try CamillaTable(node, "\(what): a source")
                try source.check(["channel", "gain", "inverted", "mute", "scale"])
                let factor = try source.factor(default: source["scale"]?.text == "linear" ? 1 : 0)
                gains[output][try source.count("channel", in: 0...inputs - 1)] += isMuted ? 0 : factor
            }
        }
        let matrix = ChannelMatrix(gains)
        do { try matrix.validate() } catch { throw error.located(node.line) }
        return matrix
    }
}
