import Testing
import TuttiChain

@Suite struct ChainTextTests {
    @Test(arguments: [
        ("peak 1000 -3 1.2; lowshelf 80 4 0.7; highpass 30", "peak 1000 -3 1.2; lowshelf 80 4 0.7; highpass 30"),
        ("Peak 1k -3, high-pass 1.5kHz 0.5\nnotch 50 Hz", "peak 1000 -3; highpass 1500 0.5; notch 50"),
        ("peak 1.1k \u{2212}3 dB q=2 # note\n\n low_shelf 80Hz gain=4dB;", "peak 1100 -3 2; lowshelf 80 4"),
        ("allpass 1e3 1", "allpass 1000 1"),
    ])
    func filters(text: String, written: String) throws {
        let filters = try EqualizerText(parsing: text)
        #expect(filters.description == written)
        #expect(try EqualizerText(parsing: written) == filters)
    }

    @Test func filtersHaveTheirValues() throws {
        #expect(
            try EqualizerText(parsing: "highshelf 8k 2.5; lowpass 12k 0.5").bands
                == [EQBand(.highShelf, frequency: 8_000, gain: 2.5), EQBand(.lowPass, frequency: 12_000, q: 0.5)])
    }

    @Test(arguments: [
        ("", "an equalizer needs a filter"), (" ;,\n", "an equalizer needs a filter"),
        ("peek 1000 3", "there is no filter 'peek'; use peak, lowshelf"), ("peak", "peak needs a frequency"),
        ("peak 1000", "peak needs a gain"), ("peak 1000 x", "peak: gain must be a number, not 'x'"),
        ("peak 1000 -3,5", "there is no filter '5'"), ("peak 1000 -3,5", "decimals are written with a point"),
        ("peak 1000 1 2 3", "'3' is not wanted; write peak FREQUENCY GAIN [Q]"),
        ("highpass 30 0 0.7", "'0.7' is not wanted; write highpass FREQUENCY [Q], for it has no gain"),
        ("notch 50 gain=3", "'gain' is not wanted"), ("peak 1000 3 q=1 q=2", "q is given twice"),
        ("peak 1e999 0", "frequency must be a number"), ("peak nan 0", "frequency must be a number"),
        ("peak 0x10 0", "frequency must be a number"), ("peak 1000 99", "gain is 99; allowed: -60 to 24"),
        ("peak 1000 1\npeak 1000 99", "line 2: gain is 99"), ("notch 50\n\nnotch", "line 3: notch needs a frequency"),
        (String(repeating: "notch 50;", count: 129), "too many filters of an equaliser; allowed: 128"),
    ])
    func filtersThatCannotBeRead(text: String, reason: String) throws {
        let error = #expect(throws: ChainError.self) { try EqualizerText(parsing: text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        (
            "eq peak 1000 -3 1.2; notch 50",
            Effect.equalizer([
                EQBand(.peak, frequency: 1_000, gain: -3, q: 1.2), EQBand(.notch, frequency: 50),
            ])
        ),
        ("convolve ir.wav gain=-3", .convolution(Convolution(impulse: "ir.wav", gain: -3))),
        (
            #"convolve "my \"room\".wav" zerolatency"#,
            .convolution(
                Convolution(impulse: #"my "room".wav"#, hasZeroLatency: true))
        ),
        ("convolve zerolatency", .convolution(Convolution(impulse: "zerolatency"))),
        ("convolve 0a1b name=hall.wav", .convolution(Convolution(impulse: "0a1b", name: "hall.wav"))),
        (
            #"convolve 0a1b gain=-3 name="my \"hall\" 1=2.wav""#,
            .convolution(Convolution(impulse: "0a1b", gain: -3, name: #"my "hall" 1=2.wav"#))
        ),
        (##"convolve "#1;2.wav""##, .convolution(Convolution(impulse: "#1;2.wav"))),
        ("reverb hall 30", .reverb(Reverb(.mediumHall))),
        ("reverb mix=20", .reverb(Reverb(.mediumHall, wetDryMix: 20))),
        ("Reverb LargeHall 50%", .reverb(Reverb(.largeHall, wetDryMix: 50))),
        ("reverb mediumRoom", .reverb(Reverb(.mediumRoom))), ("reverb", .reverb(Reverb())),
        ("delay 0.25 feedback=30 mix=40", .delay(Delay(time: 0.25, feedback: 30, wetDryMix: 40))),
        ("delay 250ms", .delay(Delay(time: 0.25))), ("delay 250 ms", .delay(Delay(time: 0.25))),
        ("compress threshold=-20 ratio=3", .compressor(Compressor())),
        ("compress attack=5ms makeup=6dB", .compressor(Compressor(attack: 0.005, makeUpGain: 6))),
        ("limit -1", .limiter(Limiter())), ("limit", .limiter(Limiter())),
        ("limit -2 dB release=50ms # loud", .limiter(Limiter(ceiling: -2, release: 0.05))),
        ("gain -6", .gain(-6)), ("gain -6.5dB", .gain(-6.5)), ("channels mono", .channels(.mono)),
        ("channels swap", .channels(.swapped)), ("channels 1 0 / 0 -1", .channels(ChannelMatrix([[1, 0], [0, -1]]))),
        ("crossfeed", .crossfeed(Crossfeed())),
        ("crossfeed 650 level=6", .crossfeed(Crossfeed(frequency: 650, level: 6))),
        ("crossover low 80 24", .crossover(Crossover(.low, frequency: 80))),
        ("crossover high 2.5k 48", .crossover(Crossover(.high, frequency: 2_500, slope: 48))),
    ])
    func effects(text: String, effect: Effect) throws {
        #expect(try Effect(parsing: text) == effect)
        #expect(try Effect(parsing: effect.description) == effect, "\(effect)")
        #expect(try EffectChain(parsing: "\n \(text) \n# all\n").effects == [effect])
    }

    @Test(arguments: [
        ("loud", "there is no effect 'loud'; use one of gain, channels, eq, convolve"),
        ("gain", "gain needs one number"), ("gain 3 4", "gain needs one number"),
        ("gain 1e999", "gain needs one number"),
        ("gain 30", "gain: gain is 30; allowed: -120 to 24"), ("limit 3", "limiter: ceiling is 3; allowed: -40 to 0"),
        ("limit -1 -2", "limit: '-2' is one too many; use release="), ("limit -1 attack=3", "limit has no 'attack'"),
        ("limit -1 ceiling=3", "ceiling is given twice"), ("limit = -1", "limit has no ''"),
        ("delay", "delay: the time is missing"), ("delay soon", "time must be a number, not 'soon'"),
        ("reverb cave", "there is no preset 'cave'; use smallroom, room"),
        ("crossover low", "the frequency is missing"),
        ("crossover low 80 18", "there is no slope '18'; use 12, 24, 48"),
        ("crossover", "crossover: the side is missing"),
        ("channels", "channels needs one of stereo"), ("channels middle", "there are no channels 'middle'"),
        ("channels 1 0 / 1", "a channel matrix needs"), ("channels 1 x", "'x' must be a gain"),
        ("channels 1 0 /", "a channel matrix needs"), ("convolve", "convolve: the impulse is missing"),
        (#"convolve "ir.wav"#, "a \" is missing"), (#"convolve "a"b"#, "there must be a space after 'a'"),
        (#"convolve """#, "must name an impulse response"), ("gain 0\nlimit 3", "line 2: limiter: ceiling is 3"),
        ("gain 0\n\n\nfoo", "line 4: there is no effect 'foo'"),
        (String(repeating: "gain 0\n", count: 33), "line 33: too many effects; allowed: 32"),
    ])
    func chainsThatCannotBeRead(text: String, reason: String) {
        let error = #expect(throws: ChainError.self) { try EffectChain(parsing: text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func nothingIsAnEmptyChain() throws {
        #expect(try EffectChain(parsing: "") == EffectChain())
        #expect(try EffectChain(parsing: "# nothing\n\n") == EffectChain())
        #expect(EffectChain().description == "")
    }
}
