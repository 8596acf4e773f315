/// A change of a room's effects, as a person asks for it: all of them, or one sort while the others stay.
public enum EffectEdit: Sendable, Hashable {
    /// All effects; an empty chain turns everything off.
    case chain(EffectChain)
    /// The equaliser; no bands turn it off.
    case equalizer([EQBand])
    /// The convolution; nil turns it off.
    case convolution(Convolution?)
    /// Which sides are heard, and the crossover.
    case channels(ChannelSelection)

    /// What is changed, by the words of the command line, the wire and HTTP.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case chain, eq, convolve, channels
    }

    /// What is changed.
    public var kind: Kind {
        switch self {
        case .chain: .chain
        case .equalizer: .eq
        case .convolution: .convolve
        case .channels: .channels
        }
    }

    /// Reads the setting of a kind: `off`, or what a line of a chain has behind that word.
    ///
    /// - Throws: `ChainError` with what is wrong.
    public init(_ kind: Kind, parsing text: String) throws(ChainError) {
        let isOff = text.trimmed == "off"
        switch kind {
        case .chain: self = .chain(isOff ? EffectChain() : try EffectChain(parsing: text))
        case .channels: self = .channels(isOff ? ChannelSelection(.stereo) : try ChannelSelection(parsing: text))
        case .eq:
            guard !isOff else {
                self = .equalizer([])
                return
            }
            guard case .equalizer(let bands)? = try EffectChain(parsing: "eq \(text)").effects.first else {
                throw .syntax(line: 0, "these are no filters; an example: peak 1000 -3 1.2; lowshelf 80 4 0.7")
            }
            self = .equalizer(bands)
        case .convolve:
            guard !isOff else {
                self = .convolution(nil)
                return
            }
            guard case .convolution(let convolution)? = try EffectChain(parsing: "convolve \(text)").effects.first
            else { throw .syntax(line: 0, "name a file with an impulse response") }
            self = .convolution(convolution)
        }
    }

    /// The setting, which reads as the same again.
    public var text: String {
        switch self {
        case .chain(let chain): chain.effects.isEmpty ? "off" : chain.description
        case .channels(let selection): selection.description
        case .equalizer(let bands): bands.isEmpty ? "off" : Self.words(.equalizer(bands))
        case .convolution(let convolution): convolution.map { Self.words(.convolution($0)) } ?? "off"
        }
    }

    /// A line of a chain without its first word.
    private static func words(_ effect: Effect) -> String {
        let line = EffectChain([effect]).description
        return line.firstIndex(of: " ").map { String(line[line.index(after: $0)...]) } ?? line
    }

    /// The impulse responses that it names.
    public var impulses: [String] {
        switch self {
        case .chain(let chain): chain.impulses
        case .convolution(let convolution): convolution.map { [$0.impulse] } ?? []
        case .equalizer, .channels: []
        }
    }
}

extension EffectEdit {
    /// The edit with its impulse responses under other names; those that `names` lacks keep theirs.
    public func renamingImpulses(_ names: [String: String]) -> EffectEdit {
        switch self {
        case .chain(let chain): return .chain(chain.renamingImpulses(names))
        case .convolution(var convolution?):
            convolution.impulse = names[convolution.impulse] ?? convolution.impulse
            return .convolution(convolution)
        case .convolution(nil), .equalizer, .channels: return self
        }
    }
}

extension EffectEdit {
    /// The edit whose convolutions tell people which files they are of. Those that have a name keep it.
    package func namingFiles() -> EffectEdit {
        switch self {
        case .chain(let chain): .chain(chain.namingFiles())
        case .convolution(let convolution): .convolution(convolution?.namingFile())
        case .equalizer, .channels: self
        }
    }
}

extension EffectChain {
    fileprivate func namingFiles() -> EffectChain {
        EffectChain(
            effects.map { effect in
                guard case .convolution(let convolution) = effect else { return effect }
                return .convolution(convolution.namingFile())
            })
    }
}

extension Convolution {
    /// The convolution, called as the file of its impulse response if it has no name.
    fileprivate func namingFile() -> Convolution {
        guard name.isEmpty, let file = impulse.split(separator: "/").last else { return self }
        var named = self
        named.name.unicodeScalars.append(contentsOf: file.unicodeScalars.filter { !Self.isControl($0) })
        while named.name.utf8.count > Limits.labelSizes.upperBound { named.name.removeLast() }
        return named
    }
}

extension EffectChain {
    /// The chain with its impulse responses under other names; those that `names` lacks keep theirs.
    public func renamingImpulses(_ names: [String: String]) -> EffectChain {
        EffectChain(
            effects.map { effect in
                guard case .convolution(var convolution) = effect, let name = names[convolution.impulse] else {
                    return effect
                }
                convolution.impulse = name
                return .convolution(convolution)
            })
    }

    /// The chain after an edit. Effects of the sort that is changed go; the new ones come where they belong: channels
    /// and crossover first, then the equaliser, then the convolution, then everything else.
    public func applying(_ edit: EffectEdit) -> EffectChain {
        let (new, isReplaced): ([Effect], (Effect) -> Bool)
        switch edit {
        case .chain(let chain): return chain
        case .equalizer(let bands): (new, isReplaced) = (bands.isEmpty ? [] : [.equalizer(bands)], { $0.rank == 1 })
        case .convolution(let convolution):
            (new, isReplaced) = (convolution.map { [.convolution($0)] } ?? [], { $0.rank == 2 })
        case .channels(let selection): (new, isReplaced) = (selection.effects, { $0.rank == 0 })
        }
        let kept = effects.filter { !isReplaced($0) }
        guard let rank = new.first?.rank else { return EffectChain(kept) }
        let place = kept.firstIndex { $0.rank > rank } ?? kept.endIndex
        return EffectChain(Array(kept[..<place]) + new + Array(kept[place...]))
    }
}

extension EffectChain {
    /// What has a room play other sides and leaves it its crossover to a subwoofer elsewhere.
    package func selecting(_ sides: ChannelSelection.Sides) -> EffectEdit {
        var crossover: Double?
        for case .crossover(let settings) in effects where settings.side == .high { crossover = settings.frequency }
        return .channels(ChannelSelection(sides, crossover: crossover))
    }
}

extension EffectChain {
    /// The chain with a correction of the room in place of an earlier one: gains and equalisers make way, and the new
    /// effects stand behind the room's sides and its crossover.
    public func corrected(by correction: EffectChain) -> EffectChain {
        let kept = effects.filter { effect in
            switch effect {
            case .gain, .equalizer: false
            default: true
            }
        }
        let place = kept.firstIndex { $0.rank > 0 } ?? kept.endIndex
        return EffectChain(Array(kept[..<place]) + correction.effects + Array(kept[place...]))
    }
}

extension Effect {
    /// Where a room has the effect unless a chain says otherwise.
    fileprivate var rank: Int {
        switch self {
        case .channels, .crossover: 0
        case .equalizer: 1
        case .convolution: 2
        case .gain, .reverb, .delay, .compressor, .limiter, .crossfeed: 3
        }
    }
}

extension String {
    fileprivate var trimmed: Substring {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
