import TuttiChain

/// A filter of CamillaDSP.
struct CamillaFilter {
    private let filter: CamillaTable
    private let parameters: CamillaTable
    private let sampleRate: Double?
    private let channelCount: Int

    init(_ node: ChainNode, _ name: String, sampleRate: Double?, channelCount: Int) throws(ChainError) {
        filter = try CamillaTable(node, "filter \(ChainNode.quoted(name))")
        try filter.check(["type", "parameters", "description"])
        parameters = try CamillaTable(filter["parameters"] ?? ChainNode(.null, line: node.line), filter.what)
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// What the filter is in a chain; nothing for one without an effect.
    ///
    /// - Throws: `ChainError` with its line.
    func items() throws(ChainError) -> [CamillaReader.Item] {
        let line = filter.node.line
        let type = try filter.text("type")
        if type == "Conv" { return [.init(content: try impulse(), line: line)] }
        let effect: Effect?
        switch type {
        case "Biquad": effect = .equalizer([try biquad()])
        case "BiquadCombo": effect = try combination()
        case "Gain": effect = try gain()
        case "Delay": effect = try delay()
        case "Limiter": effect = try limiter()
        default: throw filter.node.fault("\(filter.what): the type \(ChainNode.quoted(type)) cannot be taken over")
        }
        guard let effect else { return [] }
        do { try effect.validate() } catch { throw error.located(line) }
        return [.init(content: .effect(effect), line: line)]
    }

    private func biquad() throws(ChainError) -> EQBand {
        let type = try parameters.text("type")
        switch type {
        case "Peaking": return try band(.peak, "bandwidth")
        case "Lowshelf": return try band(.lowShelf, "slope")
        case "Highshelf": return try band(.highShelf, "slope")
        case "Lowpass": return try band(.lowPass, nil)
        case "Highpass": return try band(.highPass, nil)
        case "Notch": return try band(.notch, "bandwidth")
        case "Allpass": return try band(.allPass, "bandwidth")
        default:
            let order = type.hasSuffix("FO") ? ", for filters are of second order" : ""
            throw parameters.node.fault("\(filter.what): \(ChainNode.quoted(type)) cannot be taken over\(order)")
        }
    }

    /// - Parameter width: What may be given in place of a quality factor.
    private func band(_ kind: EQBand.Kind, _ width: String?) throws(ChainError) -> EQBand {
        try parameters.check(["type", "freq", "q"] + (kind.hasGain ? ["gain"] : []) + (width.map { [$0] } ?? []))
        let gain = kind.hasGain ? try parameters.number("gain") : 0
        let q: Double
        if let width, parameters[width] != nil, parameters["q"] == nil {
            let number = try parameters.number(width)
            guard width != "slope" || number > 0 && number <= 12 else {
                throw parameters.node.fault("\(filter.what): the slope must be above 0 and at most 12 dB")
            }
            q =
                width == "slope"
                ? FilterShape.quality(slope: number / 12, gain: gain) : FilterShape.quality(octaves: number)
        } else {
            q = try parameters.number("q")
        }
        return EQBand(kind, frequency: try parameters.number("freq"), gain: gain, q: q)
    }

    private func combination() throws(ChainError) -> Effect {
        let type = try parameters.text("type")
        switch type {
        case "LinkwitzRileyLowpass", "LinkwitzRileyHighpass":
            try parameters.check(["type", "freq", "order"])
            // Six decibels an octave for each order.
            guard let slope = Crossover.Limits.slopes.first(where: { $0 / 6 == order }) else {
                throw parameters.node.fault("\(filter.what): the order of a Linkwitz-Riley filter must be 2, 4 or 8")
            }
            let side = type.hasSuffix("Lowpass") ? Crossover.Side.low : .high
            return .crossover(Crossover(side, frequency: try parameters.number("freq"), slope: slope))
        case "ButterworthLowpass", "ButterworthHighpass":
            try parameters.check(["type", "freq", "order"])
            guard let order, order % 2 == 0, (2...16).contains(order) else {
                throw parameters.node.fault("\(filter.what): the order of a Butterworth filter must be even, 2 to 16")
            }
            let frequency = try parameters.number("freq")
            let kind = type.hasSuffix("Lowpass") ? EQBand.Kind.lowPass : .highPass
            return .equalizer(
                FilterShape.butterworthQualities(order: order).map { EQBand(kind, frequency: frequency, q: $0) })
        case "FivePointPeq":
            var bands: [EQBand] = []
            for (name, kind) in [
                ("ls", EQBand.Kind.lowShelf), ("p1", .peak), ("p2", .peak), ("p3", .peak), ("hs", .highShelf),
            ] {
                bands.append(
                    EQBand(
                        kind, frequency: try parameters.number("f" + name), gain: try parameters.number("g" + name),
                        q: try parameters.number("q" + name)))
            }
            try parameters.check(["type"] + ["ls", "p1", "p2", "p3", "hs"].flatMap { ["f" + $0, "g" + $0, "q" + $0] })
            return .equalizer(bands)
        default: throw parameters.node.fault("\(filter.what): \(ChainNode.quoted(type)) cannot be taken over")
        }
    }

    /// The order of a combination; nil for what is no whole number.
    private var order: Int? { (try? parameters.number("order")).flatMap { Int(exactly: $0) } }

    private func gain() throws(ChainError) -> Effect? {
        try parameters.check(["gain", "inverted", "mute", "scale"])
        let factor = try parameters.factor(default: nil)
        if factor == 1 { return nil }
        if factor > 0 {
            // The file's own decibels, where it has them, are not turned into a factor and back.
            let isDecibels = parameters["scale"]?.text != "linear"
            return .gain(isDecibels ? try parameters.number("gain") : FilterShape.decibels(factor))
        }
        return .channels(
            ChannelMatrix(
                (0..<channelCount).map { row in (0..<channelCount).map { $0 == row ? factor : 0 } }))
    }

    private func delay() throws(ChainError) -> Effect? {
        try parameters.check(["delay", "unit", "delay_unit", "subsample"])
        let delay = try parameters.number("delay")
        let unit =
            try parameters["delay_unit"] == nil ? parameters["unit"]?.text ?? "ms" : parameters.text("delay_unit")
        let seconds: Double
        switch unit {
        case "s": seconds = delay
        case "ms": seconds = delay / 1_000
        case "us": seconds = delay / 1_000_000
        // CamillaDSP reckons with 343 m/s.
        case "mm": seconds = delay / 343_000
        case "samples":
            guard let sampleRate, sampleRate > 0 else {
                throw parameters.node.fault("\(filter.what): samples need a samplerate in devices")
            }
            seconds = delay / sampleRate
        default: throw parameters.node.fault("\(filter.what): there is no unit \(ChainNode.quoted(unit))")
        }
        return seconds == 0 ? nil : .delay(Delay(time: seconds))
    }

    /// A limiter keeps the same ceiling without cutting peaks off, as CamillaDSP's hard one does.
    private func limiter() throws(ChainError) -> Effect {
        try parameters.check(["clip_limit", "soft_clip"])
        guard try !parameters.flag("soft_clip") else {
            throw parameters.node.fault("\(filter.what): soft_clip cannot be taken over")
        }
        return .limiter(Limiter(ceiling: try parameters.number("clip_limit")))
    }

    private func impulse() throws(ChainError) -> CamillaReader.Item.Content {
        let type = try parameters.text("type")
        guard type == "Wav" else {
            throw parameters.node.fault(
                "\(filter.what): an impulse response of the type \(ChainNode.quoted(type)) cannot be taken over; "
                    + "make a WAV file of it")
        }
        try parameters.check(["type", "filename", "channel"])
        let file = try parameters.text("filename")
        guard !file.contains("$") else {
            throw parameters.node.fault("\(filter.what): put a real name in place of the $…$ of the filename")
        }
        do { try Effect.convolution(Convolution(impulse: file)).validate() } catch {
            throw error.located(parameters.node.line)
        }
        let channel = parameters["channel"] == nil ? 0 : try parameters.count("channel", in: 0...7)
        return .impulse(file: file, channel: channel)
    }
}
