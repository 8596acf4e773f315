import Foundation
import Testing
import TuttiChain

@Suite struct ChainJSONTests {
    private func chain(_ text: String) throws -> EffectChain {
        try JSONDecoder().decode(EffectChain.self, from: Data(text.utf8))
    }

    private func json(_ chain: EffectChain) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(chain), as: UTF8.self)
    }

    @Test func everyEffectIsRead() throws {
        let text = """
            {"effects":[{"gain":-6},{"channels":"left"},{"channels":[[1,0],[0,-1]]},
            {"equalizer":[{"kind":"peak","frequency":1000,"gain":-3,"q":1.2},{"kind":"highPass","frequency":30}]},
            {"convolution":{"impulse":"ir.wav","zeroLatency":true}},{"reverb":{"preset":"plate"}},{"delay":{"time":0.25}},
            {"compressor":{"ratio":4}},{"limiter":{"ceiling":-2}},{"crossfeed":{}},{"crossover":{"side":"high",
            "frequency":80,"slope":48}}]}
            """
        #expect(
            try chain(text)
                == EffectChain([
                    .gain(-6), .channels(.left), .channels(ChannelMatrix([[1, 0], [0, -1]])),
                    .equalizer([EQBand(.peak, frequency: 1_000, gain: -3, q: 1.2), EQBand(.highPass, frequency: 30)]),
                    .convolution(Convolution(impulse: "ir.wav", hasZeroLatency: true)), .reverb(Reverb(.plate)),
                    .delay(Delay(time: 0.25)), .compressor(Compressor(ratio: 4)), .limiter(Limiter(ceiling: -2)),
                    .crossfeed(Crossfeed()), .crossover(Crossover(.high, frequency: 80, slope: 48)),
                ]))
    }

    @Test func theFormIsStable() throws {
        let chain = EffectChain([
            .equalizer([EQBand(.lowShelf, frequency: 80, gain: 4, q: 0.7)]), .channels(.swapped),
            .channels(ChannelMatrix([[0.5], [0.25]])), .limiter(Limiter()), .reverb(Reverb()),
            .crossover(Crossover(.low, frequency: 90)),
        ])
        #expect(
            try json(chain) == """
                {"effects":[{"equalizer":[{"frequency":80,"gain":4,"kind":"lowShelf","q":0.7}]},{"channels":"swap"},\
                {"channels":[[0.5],[0.25]]},{"limiter":{"ceiling":-1,"release":0.1}},\
                {"reverb":{"preset":"mediumHall","wetDryMix":30}},\
                {"crossover":{"frequency":90,"side":"low","slope":24}}]}
                """)
        #expect(try json(EffectChain()) == #"{"effects":[]}"#)
        let named = Convolution(impulse: "a", name: "hall.wav")
        #expect(
            try json(EffectChain([.convolution(named), .convolution(Convolution(impulse: "a"))])) == """
                {"effects":[{"convolution":{"gain":0,"impulse":"a","name":"hall.wav","zeroLatency":false}},\
                {"convolution":{"gain":0,"impulse":"a","zeroLatency":false}}]}
                """)
    }

    @Test(arguments: [
        (#"{"effects":[{"limitter":{}}]}"#, "there is no effect 'limitter'; use one of gain, channels"),
        (#"{"effects":[{"limiter":{"cieling":-1}}]}"#, "limiter has no field 'cieling'; use ceiling, release"),
        (#"{"effects":[{"limiter":{},"gain":1}]}"#, "an effect must be a table of one name"),
        (#"{"effects":[{}]}"#, "an effect must be a table of one name"),
        (#"{"effects":[7]}"#, "an effect must be a table"), (#"{"effect":[]}"#, "a chain has no field 'effect'"),
        (#"{}"#, "a chain must have a list of effects"), (#"[]"#, "a chain must be a table"),
        (#"{"effects":[{"gain":"loud"}]}"#, "gain must be a number"),
        (#"{"effects":[{"gain":25}]}"#, "effect 1, gain: gain is 25; allowed: -120 to 24"),
        (#"{"effects":[{"delay":{}}]}"#, "delay: the time is missing"),
        (#"{"effects":[{"equalizer":[]}]}"#, "an equalizer needs a filter"),
        (
            #"{"effects":[{"equalizer":[{"kind":"peek","frequency":9}]}]}"#,
            "filter 1: kind must be one of peak, lowShelf"
        ),
        (
            #"{"effects":[{"equalizer":[{"kind":"peak","frequency":1}]}]}"#,
            "filter 1: frequency is 1; allowed: 5 to 96000"
        ),
        (#"{"effects":[{"equalizer":[{"kind":"notch","frequency":50,"gain":1}]}]}"#, "gain (notch has none) is 1"),
        (#"{"effects":[{"crossover":{"side":"low","frequency":80,"slope":18}}]}"#, "slope must be one of 12, 24, 48"),
        (#"{"effects":[{"channels":[[1,0],[1]]}]}"#, "a channel matrix needs"),
        (#"{"effects":[{"channels":"centre"}]}"#, "there are no channels 'centre'; use stereo, left"),
    ])
    func whatIsNotThereIsNamed(text: String, reason: String) throws {
        let error = #expect(throws: DecodingError.self) { try chain(text) }
        guard case .dataCorrupted(let context) = error else { throw error ?? CancellationError() }
        #expect(context.debugDescription.contains(reason), "\(context.debugDescription)")
        #expect(context.underlyingError is ChainError)
    }

    @Test func deepAndHugeTextsAreRefused() {
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        for text in [
            #"{"effects":\#(deep)}"#, #"{"effects":[{"gain":1e999}]}"#, #"{"effects":[{"gain":NaN}]}"#,
            #"{"effects":[\#(String(repeating: #"{"gain":0},"#, count: 5_000)){"gain":0}]}"#,
        ] {
            #expect(throws: (any Error).self) { try chain(text) }
        }
    }

    @Test func partsStandAlone() throws {
        let matrix = try JSONDecoder().decode(ChannelMatrix.self, from: Data(#""mono""#.utf8))
        #expect(matrix == .mono)
        let band = EQBand(.allPass, frequency: 100.5, q: 2)
        #expect(try JSONDecoder().decode(EQBand.self, from: JSONEncoder().encode(band)) == band)
        let effect = Effect.delay(Delay(time: 1))
        #expect(try JSONDecoder().decode(Effect.self, from: JSONEncoder().encode(effect)) == effect)
    }
}
