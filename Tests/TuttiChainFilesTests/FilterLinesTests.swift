import Testing
import TuttiChain
import TuttiChainFiles

@Suite("Filters of Room EQ Wizard, AutoEq and Equalizer APO")
struct FilterLinesTests {
    private func bands(_ text: String) throws -> [EQBand] {
        let chain = try ChainImport(parsing: text, as: .equalizerAPO).chain
        guard case .equalizer(let bands) = chain.effects.first else { return [] }
        return bands
    }

    @Test("an export of Room EQ Wizard")
    func wizard() throws {
        let text = """
            Filter Settings file

            Room EQ V5.31.3
            Dated: Mar 12, 2025 9:41:07 PM

            Notes:Living room, left and right

            Equaliser: Generic
            Average 20-300 Hz
            Filter  1: ON  PK       Fc   45.80 Hz  Gain   3.00 dB  Q  1.000
            Filter  2: ON  PK       Fc   136.0 Hz  Gain -10.80 dB  Q 10.723
            Filter  3: ON  PK       Fc    3155 Hz  Gain   3.00 dB  Q  1.812
            Filter  4: OFF PK       Fc   200.0 Hz  Gain  -3.00 dB  Q  2.000
            Filter  5: ON  LSC      Fc   80.00 Hz  Gain   1.50 dB  Q  0.700
            Filter  6: ON  Modal    Fc    31.5 Hz  Gain  -6.50 dB  Q  8.000  T60 target   300 ms
            Filter  7: ON  HPQ      Fc    20.0 Hz  Q  0.500
            Filter  8: ON  LP       Fc   18.00 kHz
            Filter  9: ON  NO       Fc    50.0 Hz
            Filter 10: ON  AP       Fc   900.0 Hz  Q  0.707
            Filter 11: ON  None
            Filter 12: OFF None
            """
        let imported = try ChainImport(parsing: text)
        #expect(imported.format == .roomEQWizard && imported.impulses == [])
        #expect(
            imported.chain.effects == [
                .equalizer([
                    EQBand(.peak, frequency: 45.8, gain: 3, q: 1),
                    EQBand(.peak, frequency: 136, gain: -10.8, q: 10.723),
                    EQBand(.peak, frequency: 3_155, gain: 3, q: 1.812),
                    EQBand(.lowShelf, frequency: 80, gain: 1.5, q: 0.7),
                    EQBand(.peak, frequency: 31.5, gain: -6.5, q: 8), EQBand(.highPass, frequency: 20, q: 0.5),
                    EQBand(.lowPass, frequency: 18_000), EQBand(.notch, frequency: 50, q: 30),
                    EQBand(.allPass, frequency: 900, q: 0.707),
                ])
            ])
    }

    @Test("decimal commas, with points for thousands")
    func commas() throws {
        let text = """
            Filter Settings file

            Room EQ V5.01
            Dated: 16.05.2013 21:56:38

            Equaliser: Generic
            Filter  1: ON  PK       Fc    50,0 Hz  Gain -10,0 dB  Q  2,50
            Filter  2: ON  Modal    Fc     100H z  Gain   3,0 dB  Q  5,410  T60 target   100 ms
            Filter  3: ON  LP       Fc   8.000 Hz
            Filter  4: ON  PK       Fc   1.234,5 Hz  Gain -1,0 dB  Q 1,0
            """
        #expect(
            try ChainImport(parsing: text).chain.effects == [
                .equalizer([
                    EQBand(.peak, frequency: 50, gain: -10, q: 2.5), EQBand(.peak, frequency: 100, gain: 3, q: 5.41),
                    EQBand(.lowPass, frequency: 8_000), EQBand(.peak, frequency: 1_234.5, gain: -1, q: 1),
                ])
            ])
        #expect(try bands("Filter 1: ON PK Fc 1,000 Hz Gain -1.5 dB Q 1.25").first?.frequency == 1_000)
        #expect(try bands("Filter 1: ON PK Fc 38,50 Hz Gain -1,5 dB Q 1,250").first?.q == 1.25)
    }

    @Test("AutoEq's ParametricEQ.txt")
    func autoEq() throws {
        let text = """
            Preamp: -6.1 dB\r
            Filter 1: ON LSC Fc 105 Hz Gain 5.5 dB Q 0.70\r
            Filter 2: ON PK Fc 2000 Hz Gain -3.1 dB Q 1.41\r
            Filter 3: ON HSC Fc 10000 Hz Gain -1.8 dB Q 0.70\r\n
            """
        let imported = try ChainImport(parsing: "\u{feff}" + text)
        #expect(imported.format == .equalizerAPO)
        #expect(
            imported.chain.effects == [
                .gain(-6.1),
                .equalizer([
                    EQBand(.lowShelf, frequency: 105, gain: 5.5, q: 0.7),
                    EQBand(.peak, frequency: 2_000, gain: -3.1, q: 1.41),
                    EQBand(.highShelf, frequency: 10_000, gain: -1.8, q: 0.7),
                ]),
            ])
    }

    @Test("a configuration of Equalizer APO")
    func configuration() throws {
        let text = """
            # Desk
            Device: all
            Channel: all
            Stage: post-mix
            Preamp: -6 db
            Filter: ON PEQ Fc 100 Hz Gain 1.0 dB BW Oct 1
            Delay: 50.5 ms
            Preamp: 0 dB
            Convolution: rooms\\small church.wav
            Filter  1: ON  HP       Fc     30 Hz
            """
        let imported = try ChainImport(parsing: text)
        #expect(imported.impulses == ["rooms\\small church.wav"])
        guard imported.chain.effects.count == 5, case .equalizer(let bands) = imported.chain.effects[1] else {
            Issue.record("\(imported.chain)")
            return
        }
        // One octave is a quality factor of √2.
        #expect(abs(bands[0].q - 2.0.squareRoot()) < 1e-12)
        #expect(imported.chain.effects[0] == .gain(-6))
        #expect(imported.chain.effects[2] == .delay(Delay(time: 0.0505)))
        #expect(imported.chain.effects[3] == .convolution(Convolution(impulse: "rooms\\small church.wav")))
        #expect(imported.chain.effects[4] == .equalizer([EQBand(.highPass, frequency: 30)]))
    }

    /// The factor between corner and middle, and the quality factor of a slope, by the formulas of the Audio EQ Cookbook.
    @Test("shelves without a quality factor, with a slope, and by their corners")
    func shelves() throws {
        func check(_ line: String, _ frequency: Double, _ q: Double) throws {
            let band = try #require(try bands("Filter: ON " + line).first)
            #expect(abs(band.frequency - frequency) < 0.01 && abs(band.q - q) < 0.0001, "\(line): \(band)")
        }
        // A = 10^(6/40) = 1.41254; 1/Q² = (A + 1/A)(1/S − 1) + 2; the factor is 10^(6/80/S).
        try check("LS Fc 300 Hz Gain 6 dB", 300, 0.66881)
        try check("HSC Fc 300 Hz Gain 6 dB", 300, 0.66881)
        try check("LSC 6 dB Fc 300 Hz Gain 6 dB", 300, 0.49268)
        try check("LS 6dB Fc 300 Hz Gain 6 dB", 423.76, 0.49268)
        try check("HS 12dB Fc 300 Hz Gain 6 dB", 252.42, 0.70711)
        try check("LS Fc 300 Hz Gain 6 dB Q 0.70710678", 356.55, 0.70711)
        try check("LSC Fc 300 Hz Gain 6 dB Q 0.6473", 300, 0.6473)
        try check("PK Fc 100 Hz Gain 6 dB BW/60 60", 100, 0.70711)
    }

    @Test(
        "what cannot be taken over is refused with its line and a reason",
        arguments: [
            ("Filter 1: ON BP Fc 1000 Hz Q 0.1", 1, "the filter 'BP' cannot be taken over"),
            ("\nFilter 1: ON PK Fc 1000 Hz Gain 3 dB", 2, "PK needs a Q or a bandwidth"),
            ("Filter 1: ON PK Fc 1000 Hz Q 1", 1, "PK needs a Gain"),
            ("Filter 1: ON PK Gain 1 dB Q 1", 1, "Fc is missing"),
            ("Filter 1: PK Fc 1000 Hz Gain 3 dB", 1, "must be ON or OFF"),
            ("Filter 1: ON", 1, "kind of filter is missing"),
            ("Filter 1: ON PK Fc 2 Hz Gain 3 dB Q 1", 1, "frequency is 2; allowed: 5 to 96000"),
            ("Filter 1: ON PK Fc 1e999 Hz Gain 3 dB Q 1", 1, "Fc must be a number"),
            ("Filter 1: ON PK Fc 100 Hz Gain 3 dB Q 1 Phase 3", 1, "'Phase' is not known"),
            ("Filter 1: ON NO 6 dB Fc 100 Hz", 1, "NO has no slope"), ("Filter 1: ON AP Fc 900 Hz", 1, "AP needs a Q"),
            ("Filter 1: ON LSC 18 dB Fc 900 Hz Gain 3 dB", 1, "at most 12 dB"),
            ("Filter 1: ON PK Fc 100 Hz Gain 3 dB BW 12 Hz", 1, "BW must be in octaves"),
            ("Filter: ON IIR Order 2 Coefficients 1 2 3 4 5 6", 1, "must be a number, not 'Order'"),
            ("GraphicEQ: 20 -3; 21 -2.9", 1, "a GraphicEQ is a curve"), ("Include: more.txt", 1, "include cannot"),
            ("Preamp: -3 dB\nChannel: L\nPreamp: -5 dB", 2, "the same for all channels"),
            ("Copy: L=R", 1, "copy cannot"),
            ("Preamp: loud", 1, "Preamp must be a number"), ("Preamp: 99 dB", 1, "gain is 99; allowed: -120 to 24"),
            ("Delay: 480 samples", 1, "must be in ms"), ("Delay: 9000 ms", 1, "time is 9; allowed: 0 to 5"),
            ("Preamp: -3 dB\nhello", 2, "'hello' is no filter"), ("", 1, "has no filters"),
            ("# x", 1, "has no filters"),
        ])
    func refusals(text: String, line: Int, reason: String) {
        let error = #expect(throws: ChainError.self) { try ChainImport(parsing: text, as: .equalizerAPO) }
        guard case .syntax(line, let found) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found.contains(reason), "\(found)")
    }
}
