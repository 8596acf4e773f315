import Testing
import TuttiChain
import TuttiChainFiles

@Suite("Imports")
struct ChainImportTests {
    @Test(
        "whose file it is",
        arguments: [
            ("# my room\ngain -6\nlimit", ChainImport.Format.chainText), ("EQ peak 100 1", .chainText),
            ("chain:\n  - limit", .chainYAML), ("\n\n{\"effects\": []}", .chainYAML), ("effects: []", .chainYAML),
            ("Filter Settings file\n", .roomEQWizard), ("Room EQ V5.20.5\nFilter 1: ON None", .roomEQWizard),
            ("Preamp: -6 dB", .equalizerAPO), ("Filter 1: ON PK", .equalizerAPO), ("Filter: ON PK", .equalizerAPO),
            ("GraphicEQ: 20 -3; 21 -3", .equalizerAPO), ("# x\nDevice: all", .equalizerAPO),
            ("title: x\nfilters:\n  a: {}\n", .camillaDSP), ("---\ndevices:\n  samplerate: 48000\n", .camillaDSP),
        ])
    func formats(text: String, format: ChainImport.Format) { #expect(ChainImport.detect(text) == format) }

    @Test("what is nobody's file", arguments: ["", "\n", "hello", "<xml/>", "filters", "1 2 3\n4 5 6\n"])
    func nobody(text: String) {
        #expect(ChainImport.detect(text) == nil)
        #expect(throws: ChainError.self) { try ChainImport(parsing: text) }
    }

    @Test("files that are too long are refused")
    func length() {
        #expect(throws: ChainError.self) { try ChainImport(parsing: String(repeating: "# \n", count: 400_000)) }
    }

    /// Files of each kind, to be damaged.
    static let samples = [
        "Filter Settings file\nRoom EQ V5.1\nFilter 1: ON PK Fc 1.000 Hz Gain -3,0 dB Q 1,5\nFilter 2: ON LS 6dB Fc 80 Hz Gain 3 dB",
        "Preamp: -6.1 dB\nFilter 1: ON LSC Fc 105 Hz Gain 5.5 dB Q 0.70\nFilter 2: ON PK Fc 9 kHz Gain 1 dB BW Oct 0.5",
        "chain:\n  - eq peak 1000 -3 1.2\n  - limiter: {ceiling: -2}\n  - channels: [[1, 0], [0, 1]]\n",
        """
        devices: {samplerate: 48000, capture: {channels: 2}}
        filters:
          a: {type: Biquad, parameters: {type: Peaking, freq: 100, q: 2, gain: -3}}
          b: {type: Delay, parameters: {delay: 12, unit: samples}}
        mixers: {m: {channels: {in: 2, out: 2}, mapping: [{dest: 0, sources: [{channel: 1, gain: -3}]}]}}
        pipeline: [{type: Filter, channels: [0, 1], names: [a, b]}, {type: Mixer, name: m}]
        """,
    ]

    @Test("damaged files never trap, and what is taken is valid", arguments: samples.indices)
    func damage(index: Int) throws {
        var taken = 0
        for seed in 0..<300 {
            var random = Damage(seed: UInt64(seed))
            let text = random.damaged(Self.samples[index])
            for format in [nil] + ChainImport.Format.allCases {
                guard let chain = try? ChainImport(parsing: text, as: format).chain else { continue }
                taken += 1
                try chain.validate()
                #expect(try EffectChain(parsing: chain.description) == chain)
                #expect(try EffectChain(yaml: chain.yaml) == chain, "\(chain.yaml)")
            }
        }
        #expect(taken > 50)
    }

    @Test(
        "names of impulse responses come back from YAML",
        arguments: [
            "a: b.wav", "a #b.wav", "'quoted'.wav", "\"double\".wav", "é漢.wav", "- a", "a:", "{a}", "\\x.wav", " a ",
            "true",
        ])
    func names(name: String) throws {
        let chain = EffectChain([.convolution(Convolution(impulse: name)), .gain(-1)])
        #expect(try EffectChain(yaml: chain.yaml) == chain, "\(chain.yaml)")
    }

    @Test(
        "long files take a moment",
        arguments: [
            "Filter 1: OFF PK Fc 1 Hz\n", "Filter 1: ON PK Fc 100 Hz Gain 1 dB Q 1\n", "# comment\n", "a", ":", "\n",
            "Fc ",
            "[", "- ", "a: ", "{a: ", "\t", "&a *a ",
        ])
    func time(part: String) {
        let count = ChainImport.maximumSize / part.utf8.count - 1
        let time = ContinuousClock().measure {
            for format in [nil] + ChainImport.Format.allCases {
                _ = try? ChainImport(parsing: String(repeating: part, count: count), as: format)
            }
        }
        #expect(time < .seconds(20))
    }
}

/// Damage to texts, by seed.
struct Damage: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64, of S. Vigna.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// `text` with bytes changed, left out and added, and sometimes cut.
    mutating func damaged(_ text: String) -> String {
        var bytes = Array(text.utf8)
        let odd = Array("0123456789.-+eE=;,\"\\#/: \n[]{}&*\u{0}%kxNa".utf8)
        for _ in 0..<Int.random(in: 0...3, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            let byte = odd[Int.random(in: 0..<odd.count, using: &self)]
            switch Int.random(in: 0..<5, using: &self) {
            case 0: bytes[place] = byte
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: "1e999".utf8, at: place)
            case 3: bytes.removeLast(bytes.count - place)
            default: bytes.insert(byte, at: place)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
