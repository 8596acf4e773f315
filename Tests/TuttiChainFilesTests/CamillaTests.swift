import Testing
import TuttiChain
import TuttiChainFiles

@Suite("Configurations of CamillaDSP")
struct CamillaTests {
    private func effects(_ text: String) throws -> [Effect] {
        try ChainImport(parsing: text, as: .camillaDSP).chain.effects
    }

    /// Two channels with the filters `filters`, each named once in the pipeline.
    private func file(_ filters: String, names: String) -> String {
        "devices: {samplerate: 48000, capture: {channels: 2}}\nfilters:\n\(filters)\n"
            + "pipeline:\n  - {type: Filter, channels: [0, 1], names: [\(names)]}\n"
    }

    @Test("version 1: a step for each channel, and a mixer")
    func one() throws {
        let text = """
            ---
            devices:
              samplerate: 44100
              chunksize: 1024
              capture:
                type: Alsa
                channels: 2
                device: "hw:Loopback,1"
                format: S32LE
              playback: {type: Alsa, channels: 2, device: "hw:DAC", format: S32LE}
            filters:
              bass:
                type: Biquad
                parameters: {type: Lowshelf, freq: 80, slope: 12, gain: 4.0}
              dip_left:
                type: Biquad
                parameters:
                  type: Peaking
                  freq: 62.3
                  q: 4
                  gain: -5.1
              dip_right:
                type: Biquad
                parameters: {type: Peaking, freq: 62.3, q: 4.0, gain: -5.1}
              unused:
                type: DiffEq
            mixers:
              mono:
                channels: {in: 2, out: 2}
                mapping:
                  - dest: 0
                    sources:
                      - {channel: 0, gain: -6, inverted: false}
                      - {channel: 1, gain: -6, inverted: true}
                  - dest: 1
                    sources:
                      - {channel: 1, gain: 0.5, scale: linear}
                      - {channel: 0, mute: true}
            pipeline:
              - type: Filter
                channel: 0
                names: [bass, dip_left]
              - type: Filter
                channel: 1
                names:
                  - bass
                  - dip_right
              - type: Mixer
                name: mono
            """
        #expect(ChainImport.detect(text) == .camillaDSP)
        let effects = try effects(text)
        let half = 0.501187233627272
        guard effects.count == 2, case .equalizer(let bands) = effects[0], case .channels(let matrix) = effects[1]
        else {
            Issue.record("\(effects)")
            return
        }
        #expect(bands.count == 2 && bands[0].kind == .lowShelf && abs(bands[0].q - 0.5.squareRoot()) < 1e-9)
        #expect(bands[1] == EQBand(.peak, frequency: 62.3, gain: -5.1, q: 4))
        for (gain, expected) in zip(matrix.gains.joined(), [half, -half, 0, 0.5]) {
            #expect(abs(gain - expected) < 1e-9)
        }
    }

    @Test("version 3: steps for all channels, bypassed steps, descriptions")
    func three() throws {
        let text = """
            title: Sub
            devices:
              samplerate: 48000
              capture: {type: Stdin, channels: 2, format: S16LE}
            filters:
              lr:
                type: BiquadCombo
                description: to the sub
                parameters: {type: LinkwitzRileyLowpass, freq: 80, order: 4}
              late: {type: Delay, parameters: {delay: 480, unit: samples, subsample: false}}
              level: {type: Gain, parameters: {gain: -3, inverted: false, mute: null, scale: null}}
              top: {type: Limiter, parameters: {clip_limit: -1.5, soft_clip: false}}
              odd: {type: Dither, parameters: {type: Flat, bits: 16}}
            processors: {}
            pipeline:
              - type: Filter
                description: everything
                bypassed: null
                names: [lr, late, level, top]
              - {type: Filter, channels: [0, 1], names: [odd], bypassed: true}
            """
        #expect(
            try effects(text) == [
                .crossover(Crossover(.low, frequency: 80)), .delay(Delay(time: 0.01)), .gain(-3),
                .limiter(Limiter(ceiling: -1.5)),
            ])
    }

    @Test("filters have their shapes")
    func shapes() throws {
        func bands(_ parameters: String, type: String = "Biquad") throws -> [EQBand] {
            let effects = try effects(file("  a: {type: \(type), parameters: {\(parameters)}}", names: "a"))
            guard case .equalizer(let bands) = effects.first else { return [] }
            return bands
        }
        #expect(
            try bands("type: Highshelf, freq: 9000, q: 0.6, gain: 2") == [
                EQBand(.highShelf, frequency: 9_000, gain: 2, q: 0.6)
            ])
        #expect(try bands("type: Lowpass, freq: 90, q: 0.5") == [EQBand(.lowPass, frequency: 90, q: 0.5)])
        #expect(try bands("type: Highpass, freq: 90, q: 0.5") == [EQBand(.highPass, frequency: 90, q: 0.5)])
        #expect(try bands("type: Notch, freq: 50, q: 10") == [EQBand(.notch, frequency: 50, q: 10)])
        let octave = try bands("type: Allpass, freq: 50, bandwidth: 1")
        #expect(octave.count == 1 && abs(octave[0].q - 2.0.squareRoot()) < 1e-12)
        let butterworth = try bands("type: ButterworthHighpass, freq: 40, order: 4", type: "BiquadCombo")
        #expect(butterworth.map(\.kind) == [.highPass, .highPass])
        for (band, q) in zip(butterworth, [0.541196, 1.306563]) { #expect(abs(band.q - q) < 1e-5) }
        let five = try bands(
            "type: FivePointPeq, fls: 80, gls: 1, qls: 0.7, fp1: 200, gp1: 2, qp1: 1, fp2: 400, gp2: 3, qp2: 1, "
                + "fp3: 800, gp3: 4, qp3: 1, fhs: 8000, ghs: 5, qhs: 0.7", type: "BiquadCombo")
        #expect(five.map(\.gain) == [1, 2, 3, 4, 5])
    }

    @Test("gains turn phases, delays have units")
    func gainsAndDelays() throws {
        func effect(_ filter: String) throws -> [Effect] { try effects(file("  a: {\(filter)}", names: "a")) }
        #expect(
            try effect("type: Gain, parameters: {gain: 0, inverted: true}") == [
                .channels(ChannelMatrix([[-1, 0], [0, -1]]))
            ])
        #expect(try effect("type: Gain, parameters: {gain: 0.1, scale: linear}") == [.gain(-20)])
        #expect(try effect("type: Gain, parameters: {gain: 0}") == [])
        #expect(try effect("type: Delay, parameters: {delay: 5}") == [.delay(Delay(time: 0.005))])
        #expect(try effect("type: Delay, parameters: {delay: 343, unit: mm}") == [.delay(Delay(time: 0.001))])
        #expect(try effect("type: Delay, parameters: {delay: 0}") == [])
    }

    @Test("impulse responses: one for all channels, or one of a file for each")
    func impulses() throws {
        let filters = """
              l: {type: Conv, parameters: {type: Wav, filename: room.wav, channel: 0}}
              r: {type: Conv, parameters: {type: Wav, filename: room.wav, channel: 1}}
            """
        let both = file(filters, names: "l")
        #expect(try effects(both) == [.convolution(Convolution(impulse: "room.wav"))])
        let own =
            file(filters, names: "l").replacing("[0, 1], names: [l]", with: "[0], names: [l]")
            + "  - {type: Filter, channel: 1, names: [r]}\n"
        let imported = try ChainImport(parsing: own)
        #expect(imported.chain.effects == [.convolution(Convolution(impulse: "room.wav"))])
        #expect(imported.impulses == ["room.wav"])
        #expect(throws: ChainError.self) { try effects(file(filters, names: "r")) }
    }

    @Test(
        "what cannot be taken over is refused with its line",
        arguments: [
            (
                "type: Biquad, parameters: {type: LowpassFO, freq: 90}",
                "'LowpassFO' cannot be taken over, for filters are"
            ),
            ("type: Biquad, parameters: {type: Free, a1: 1}", "'Free' cannot be taken over"),
            ("type: Biquad, parameters: {type: Peaking, freq: 90, gain: 1}", "filter 'a' has no q"),
            ("type: Biquad, parameters: {type: Peaking, freq: x, gain: 1, q: 1}", "freq must be a number, not 'x'"),
            ("type: Biquad, parameters: {type: Peaking, freq: 1e999, gain: 1, q: 1}", "freq must be a number"),
            ("type: Biquad, parameters: {type: Peaking, freq: 9, gain: 99, q: 1}", "gain is 99; allowed"),
            ("type: Biquad, parameters: {type: Notch, freq: 9, q: 1, gian: 3}", "'gian' cannot be taken over"),
            ("type: Biquad, parameters: {type: Lowshelf, freq: 9, slope: 24, gain: 3}", "at most 12 dB"),
            ("type: Biquad", "filter 'a' has no type"), ("parameters: {}", "filter 'a' has no type"),
            ("type: BiquadCombo, parameters: {type: LinkwitzRileyLowpass, freq: 90, order: 6}", "must be 2, 4 or 8"),
            ("type: BiquadCombo, parameters: {type: ButterworthLowpass, freq: 90, order: 3}", "must be even"),
            ("type: BiquadCombo, parameters: {type: Tilt, gain: 3}", "'Tilt' cannot be taken over"),
            ("type: Gain, parameters: {gain: 0, scale: loud}", "scale must be dB or linear"),
            ("type: Gain, parameters: {gain: .nan}", "gain must be a number"), ("type: Volume", "type 'Volume' cannot"),
            ("type: Delay, parameters: {delay: -1}", "time is -0.001"), ("type: Loudness", "type 'Loudness' cannot"),
            ("type: Delay, parameters: {delay: 1, unit: feet}", "there is no unit 'feet'"),
            ("type: Conv, parameters: {type: Raw, filename: a.raw}", "the type 'Raw' cannot be taken over"),
            ("type: Conv, parameters: {type: Values, values: [1, 0]}", "the type 'Values' cannot be taken over"),
            ("type: Conv, parameters: {type: Wav, filename: a$samplerate$.wav}", "put a real name"),
            ("type: Limiter, parameters: {clip_limit: -1, soft_clip: true}", "soft_clip cannot be taken over"),
        ])
    func refusedFilters(filter: String, reason: String) {
        let error = #expect(throws: ChainError.self) { try effects(file("  a: {\(filter)}", names: "a")) }
        #expect(error?.description.hasPrefix("line 3: ") == true)
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test(
        "steps that cannot be taken over are refused with their lines",
        arguments: [
            ("filters: {}", "line 1: the configuration has no pipeline"), ("", "line 1: the file is empty"),
            ("- a", "line 1: the configuration must be a table"),
            ("pipeline:\n- {type: Filter, channel: 0, names: [a]}", "line 2: there is no filter 'a'"),
            ("pipeline:\n- {type: Mixer, name: a}", "line 2: there is no mixer 'a'"),
            ("pipeline:\n- {type: Processor, name: a}", "line 2: processors cannot be taken over"),
            (
                "pipeline:\n- {type: Filter, channel: 9, names: []}",
                "line 2: channel must be a whole number from 0 to 7"
            ),
            (
                """
                filters:
                  a: {type: Gain, parameters: {gain: -1}}
                  b: {type: Gain, parameters: {gain: -2}}
                pipeline:
                - {type: Filter, channel: 0, names: [a]}
                - {type: Filter, channel: 1, names: [b]}
                """, "line 3: the channels have different filters here"
            ),
            (
                """
                filters: {a: {type: Gain, parameters: {gain: -1}}}
                pipeline:
                - {type: Filter, channels: [0, 1], names: [a]}
                - {type: Filter, channel: 1, names: [a]}
                """, "line 1: the channels have different filters here"
            ),
            (
                """
                mixers: {m: {channels: {in: 2, out: 1}, mapping: [{dest: 0, sources: [{channel: 2}]}]}}
                pipeline: [{type: Mixer, name: m}]
                """, "line 1: mixer m: a source: channel must be a whole number from 0 to 1"
            ),
            (
                """
                mixers: {m: {channels: {in: 99999999999999999999, out: 1}, mapping: []}}
                pipeline: [{type: Mixer, name: m}]
                """, "must be a whole number from 1 to 8"
            ),
        ])
    func refusedSteps(text: String, reason: String) {
        let error = #expect(throws: ChainError.self) { try effects(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
}
