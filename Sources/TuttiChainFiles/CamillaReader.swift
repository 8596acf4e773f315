import TuttiChain

/// Reads the pipeline of a CamillaDSP configuration, of the versions 1 to 3, after its README.
///
/// CamillaDSP has filters for each channel; a chain's effects are the same in all. So between two mixers all channels
/// must have the same filters, in the same order.
struct CamillaReader {
    /// What a filter is in one channel.
    struct Item: Equatable {
        enum Content: Equatable {
            case effect(Effect)
            /// One channel, counted from 0, of an impulse response.
            case impulse(file: String, channel: Int)
        }

        var content: Content
        /// For errors.
        var line: Int

        static func == (one: Self, other: Self) -> Bool { one.content == other.content }
    }

    private let filters: CamillaTable?
    private let mixers: CamillaTable?
    private let sampleRate: Double?
    private var effects: [Effect] = []
    /// The filters of each channel since the last mixer.
    private var channels: [[Item]]

    /// - Throws: `ChainError` with its line.
    static func chain(_ text: String) throws(ChainError) -> EffectChain {
        guard let node = try ChainNode(yaml: text) else { throw .syntax(line: 1, "the file is empty") }
        let root = try CamillaTable(node, "the configuration")
        guard let pipeline = try root["pipeline"]?.list("pipeline"), !pipeline.isEmpty else {
            throw node.fault("the configuration has no pipeline, so that none of its filters is used")
        }
        var reader = try Self(root, pipeline)
        for step in pipeline { try reader.read(step) }
        try reader.flush()
        return EffectChain(reader.effects)
    }

    private init(_ root: CamillaTable, _ pipeline: [ChainNode]) throws(ChainError) {
        filters = try root["filters"].map { (node) throws(ChainError) in try CamillaTable(node, "filters") }
        mixers = try root["mixers"].map { (node) throws(ChainError) in try CamillaTable(node, "mixers") }
        let devices = try root["devices"].map { (node) throws(ChainError) in try CamillaTable(node, "devices") }
        sampleRate = try devices?["samplerate"]?.number("samplerate")
        let limits = ChannelMatrix.Limits.channelCounts
        let capture = try devices?["capture"].map { (node) throws(ChainError) in try CamillaTable(node, "capture") }
        let count =
            if let capture, capture["channels"] != nil { try capture.count("channels", in: limits) } else {
                try Self.channelCount(pipeline, mixers)
            }
        channels = Array(repeating: [], count: count)
    }

    /// How many channels a pipeline begins with, of a configuration that does not say what it captures.
    private static func channelCount(
        _ pipeline: [ChainNode], _ mixers: CamillaTable?
    ) throws(ChainError) -> Int {
        var count = 0
        for node in pipeline {
            let step = try CamillaTable(node, "a step of the pipeline")
            if try step.text("type") == "Mixer" {
                guard let mixer = try mixers?.table(step.text("name")) else { break }
                return try mixer.table("channels").count("in", in: ChannelMatrix.Limits.channelCounts)
            }
            for channel in try channels(of: step, below: ChannelMatrix.Limits.channelCounts.upperBound) ?? [] {
                count = max(count, channel + 1)
            }
        }
        return count == 0 ? 2 : count
    }

    /// The channels that a step is for; nil for all.
    private static func channels(of step: CamillaTable, below count: Int) throws(ChainError) -> [Int]? {
        if let channel = step["channel"] {
            return [try CamillaTable.count(channel, "channel", in: 0...count - 1)]
        }
        var channels: [Int] = []
        guard let list = try step["channels"]?.list("channels") else { return nil }
        for node in list { channels.append(try CamillaTable.count(node, "a channel", in: 0...count - 1)) }
        return channels
    }

    private mutating func read(_ node: ChainNode) throws(ChainError) {
        let step = try CamillaTable(node, "a step of the pipeline")
        let type = try step.text("type")
        if try step.flag("bypassed") { return }
        switch type {
        case "Filter":
            try step.check(["type", "channel", "channels", "names", "description", "bypassed"])
            let chosen = try Self.channels(of: step, below: channels.count) ?? Array(channels.indices)
            for node in try step.value("names").list("names") {
                guard let name = node.text else { throw node.fault("the name of a filter must be a text") }
                guard let filter = filters?[name] else {
                    throw node.fault("there is no filter \(ChainNode.quoted(name))")
                }
                let items = try CamillaFilter(filter, name, sampleRate: sampleRate, channelCount: channels.count)
                    .items()
                for channel in chosen { channels[channel] += items }
            }
        case "Mixer":
            try step.check(["type", "name", "description", "bypassed"])
            let name = try step.text("name")
            guard let mixer = mixers?[name] else { throw node.fault("there is no mixer \(ChainNode.quoted(name))") }
            try flush()
            let matrix = try CamillaMixer.matrix(mixer, "mixer \(name)")
            guard matrix.inputCount == channels.count else {
                throw node.fault(
                    "the mixer \(name) has \(matrix.inputCount) inputs; here are \(channels.count) channels")
            }
            effects.append(.channels(matrix))
            channels = Array(repeating: [], count: matrix.outputCount)
        case "Processor": throw node.fault("processors cannot be taken over; write compress or limit into the chain")
        default: throw node.fault("a step \(ChainNode.quoted(type)) cannot be taken over")
        }
    }

    /// Takes over the filters of all channels since the last mixer.
    private mutating func flush() throws(ChainError) {
        let count = channels.lazy.map(\.count).max() ?? 0
        for place in 0..<count {
            // A channel that has fewer filters differs where the longest one goes on.
            guard let longest = channels.first(where: { $0.count > place }) else { break }
            let items = channels.compactMap { $0.count > place ? $0[place] : nil }
            let isSame = items.allSatisfy { $0 == items[0] }
            guard items.count == channels.count, let effect = Self.effect(items, isSame) else {
                let line = items.last { $0 != longest[place] }?.line ?? longest[place].line
                throw .syntax(
                    line: line, "the channels have different filters here; the effects of a chain are the same in all")
            }
            if case .equalizer(let bands) = effect {
                for band in bands { effects.append(band: band) }
            } else {
                effects.append(effect)
            }
        }
        for channel in channels.indices { channels[channel] = [] }
    }

    /// The one effect that the filters of all channels are; nil if there is none.
    private static func effect(_ items: [Item], _ isSame: Bool) -> Effect? {
        switch items[0].content {
        case .effect(let effect): return isSame ? effect : nil
        case .impulse(let file, 0):
            // Either each channel has its own of the file, or all have the first one.
            let isOwn = items.enumerated().allSatisfy { $1.content == .impulse(file: file, channel: $0) }
            return isSame || isOwn ? .convolution(Convolution(impulse: file)) : nil
        case .impulse: return nil
        }
    }
}
