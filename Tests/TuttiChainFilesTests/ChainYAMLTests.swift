import Testing
import TuttiChain
import TuttiChainFiles

@Suite("Chains in YAML")
struct ChainYAMLTests {
    @Test("lines of text and tables as in JSON")
    func items() throws {
        let text = """
            # For the kitchen
            chain:
              - eq peak 1k -3 1.2; lowshelf 80 4
              - 'convolve "my ir.wav" gain=-3'
              - limiter: {ceiling: -2, release: 50ms}
              - crossfeed:
              - equalizer:
                  - kind: notch
                    frequency: 1.5kHz
              - equalizer: notch 50; notch 60
              - channels: [[1, 0], [0, 1]]
              - channels: left
              - crossover: {side: low, frequency: 80, slope: 24}
              - convolution: {impulse: 1234, zeroLatency: true}
              - |
                eq peak 100 1
                notch 50
            """
        let imported = try ChainImport(parsing: text)
        #expect(imported.format == .chainYAML && imported.impulses == ["my ir.wav", "1234"])
        #expect(
            imported.chain.effects == [
                .equalizer([
                    EQBand(.peak, frequency: 1_000, gain: -3, q: 1.2), EQBand(.lowShelf, frequency: 80, gain: 4),
                ]),
                .convolution(Convolution(impulse: "my ir.wav", gain: -3)),
                .limiter(Limiter(ceiling: -2, release: 0.05)),
                .crossfeed(Crossfeed()), .equalizer([EQBand(.notch, frequency: 1_500)]),
                .equalizer([EQBand(.notch, frequency: 50), EQBand(.notch, frequency: 60)]), .channels(.stereo),
                .channels(.left), .crossover(Crossover(.low, frequency: 80)),
                .convolution(Convolution(impulse: "1234", hasZeroLatency: true)),
                .equalizer([EQBand(.peak, frequency: 100, gain: 1), EQBand(.notch, frequency: 50)]),
            ])
    }

    @Test("JSON is YAML")
    func json() throws {
        let text = #"{"effects":[{"gain":-6},{"equalizer":[{"kind":"peak","frequency":1000,"gain":-3,"q":1.2}]}]}"#
        #expect(
            try ChainImport(parsing: text).chain.effects
                == [.gain(-6), .equalizer([EQBand(.peak, frequency: 1_000, gain: -3, q: 1.2)])])
    }

    @Test("nothing is an empty chain", arguments: ["chain:", "chain: []", "effects: []"])
    func nothing(text: String) throws { #expect(try EffectChain(yaml: text) == EffectChain()) }

    @Test(
        "what is wrong is said with its line",
        arguments: [
            ("", "line 1: the file is empty"), ("- limit -1", "line 1: the file is no chain; it needs a list chain:"),
            ("chain:\n  - limit -1\n  - loud", "line 3: there is no effect 'loud'"),
            ("chain:\n  - limit 3", "line 2: limiter: ceiling is 3; allowed: -40 to 0"),
            ("chain:\n  - limiter:\n      cieling: 3", "line 3: limiter has no field 'cieling'"),
            ("chain:\n  - limiter: {ceiling: 3}", "line 2: limiter: ceiling is 3"),
            ("chain:\n  - equalizer:\n    - {kind: peak, frequency: 1}", "line 3: equalizer, filter 1: frequency is 1"),
            ("chain:\n  - [1]", "line 2: an effect must be a table"),
            ("chian:\n  - limit", "a chain has no 'chian' here"),
            ("chain: [limit]\neffects: [limit]", "line 2: a chain has no 'effects' here"),
            ("chain: [limit", "this is no YAML"), ("chain: 3", "line 1: chain must be a list"),
            ("chain: &a [*a]", "line 1: lists and tables are nested too deeply"),
            ("chain:\n" + String(repeating: "  - gain 0\n", count: 33), "line 34: too many effects; allowed: 32"),
        ])
    func faults(text: String, reason: String) {
        let error = #expect(throws: ChainError.self) { try EffectChain(yaml: text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test("references that multiply are stopped")
    func bomb() {
        var text = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        for (name, next) in zip("bcdefghi", "abcdefgh") {
            text += "\(name): &\(name) [\(Array(repeating: "*\(next)", count: 10).joined(separator: ", "))]\n"
        }
        let time = ContinuousClock().measure {
            #expect(throws: ChainError.self) { try EffectChain(yaml: text + "chain: *i") }
            #expect(throws: ChainError.self) { try ChainImport(parsing: text, as: .camillaDSP) }
        }
        #expect(time < .seconds(10))
    }
}
