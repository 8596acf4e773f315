import Testing
import TuttiChain

@Suite struct EffectChainTests {
    @Test func matricesCountTheirChannels() {
        #expect(ChannelMatrix.mono.inputCount == 2)
        #expect(ChannelMatrix([[1, 0]]).outputCount == 1)
    }

    @Test func defaultsAreWithinTheirLimits() throws {
        try EffectChain().validate()
        try EffectChain([
            .gain(0), .channels(.stereo), .equalizer([EQBand(.peak, frequency: 1_000)]),
            .convolution(Convolution(impulse: "ir.wav")), .reverb(Reverb()), .delay(Delay(time: 0)),
            .compressor(Compressor()), .limiter(Limiter()), .crossfeed(Crossfeed()),
            .crossover(Crossover(.low, frequency: 80)),
        ]).validate()
    }

    /// Values just inside and just outside of each limit.
    static let edges: [(effect: @Sendable (Double) -> Effect, limits: ClosedRange<Double>)] = [
        ({ .gain($0) }, -120...24), ({ .channels(ChannelMatrix([[$0]])) }, -16...16),
        ({ .equalizer([EQBand(.peak, frequency: $0)]) }, 5...96_000),
        ({ .equalizer([EQBand(.highShelf, frequency: 50, gain: $0)]) }, -60...24),
        ({ .equalizer([EQBand(.notch, frequency: 50, gain: $0)]) }, 0...0),
        ({ .equalizer([EQBand(.lowPass, frequency: 50, q: $0)]) }, 0.05...100),
        ({ .convolution(Convolution(impulse: "a", gain: $0)) }, -60...24),
        ({ .reverb(Reverb(.plate, wetDryMix: $0)) }, 0...100), ({ .delay(Delay(time: $0)) }, 0...5),
        ({ .delay(Delay(time: 1, feedback: $0)) }, -99...99), ({ .delay(Delay(time: 1, wetDryMix: $0)) }, 0...100),
        ({ .compressor(Compressor(threshold: $0)) }, -60...0), ({ .compressor(Compressor(ratio: $0)) }, 1...100),
        ({ .compressor(Compressor(knee: $0)) }, 0...24), ({ .compressor(Compressor(attack: $0)) }, 0.0001...1),
        ({ .compressor(Compressor(release: $0)) }, 0.01...5), ({ .compressor(Compressor(makeUpGain: $0)) }, 0...24),
        ({ .limiter(Limiter(ceiling: $0)) }, -40...0), ({ .limiter(Limiter(release: $0)) }, 0.01...5),
        ({ .crossfeed(Crossfeed(frequency: $0)) }, 300...2_000), ({ .crossfeed(Crossfeed(level: $0)) }, 1...15),
        ({ .crossover(Crossover(.high, frequency: $0)) }, 20...20_000),
    ]

    @Test(arguments: edges.indices)
    func everyLimitIsChecked(index: Int) throws {
        let (effect, limits) = Self.edges[index]
        for value in [limits.lowerBound, limits.upperBound] { try EffectChain([effect(value)]).validate() }
        for value in [limits.lowerBound.nextDown, limits.upperBound.nextUp, .nan, .infinity, -.infinity] {
            let error = #expect(throws: ChainError.self) { try EffectChain([.gain(0), effect(value)]).validate() }
            guard case .outOfRange(let name, let found, let allowed) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            // Far from 0, a gain is outside what any filter may have.
            #expect(allowed == limits || limits == 0...0)
            // NaN equals nothing.
            #expect(found == value || found.isNaN && value.isNaN)
            #expect(name.hasPrefix("effect 2, ") || name.hasPrefix("channels"))
        }
    }

    @Test func countsAreChecked() throws {
        let band = EQBand(.peak, frequency: 1_000)
        try EffectChain(Array(repeating: .gain(0), count: 32)).validate()
        try EffectChain([.equalizer(Array(repeating: band, count: 128))]).validate()
        #expect(throws: ChainError.tooMany(what: "effects", maximum: 32)) {
            try EffectChain(Array(repeating: .gain(0), count: 33)).validate()
        }
        #expect(throws: ChainError.tooMany(what: "filters of an equaliser", maximum: 128)) {
            try EffectChain([.equalizer(Array(repeating: band, count: 129))]).validate()
        }
        #expect(throws: ChainError.self) { try EffectChain([.equalizer([])]).validate() }
    }

    @Test(arguments: [[], [[]], [[1, 0], [1]], [Array(repeating: 0.0, count: 9)], Array(repeating: [1.0], count: 9)])
    func matricesAreRectangles(gains: [[Double]]) {
        #expect(throws: ChainError.notAMatrix) { try EffectChain([.channels(ChannelMatrix(gains))]).validate() }
    }

    @Test(arguments: [
        Effect.crossover(Crossover(.low, frequency: 80, slope: 18)), .convolution(Convolution(impulse: "")),
        .convolution(Convolution(impulse: "a\nb")), .convolution(Convolution(impulse: "a\u{2028}b")),
        .convolution(Convolution(impulse: String(repeating: "x", count: 1_025))),
        .convolution(Convolution(impulse: "a", name: String(repeating: "x", count: 81))),
        .convolution(Convolution(impulse: "a", name: "a\tb")),
    ])
    func otherValuesAreRefused(effect: Effect) {
        #expect(throws: ChainError.self) { try EffectChain([effect]).validate() }
    }

    @Test func errorsSayWhatIsAllowed() throws {
        let error = #expect(throws: ChainError.self) { try EffectChain([.limiter(Limiter(ceiling: 3))]).validate() }
        #expect(error?.description == "effect 1, limiter: ceiling is 3; allowed: -40 to 0")
    }
}
