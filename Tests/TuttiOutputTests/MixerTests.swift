import Testing
import TuttiOutput

/// Which mixer sets how loud a device is, and how its decibels and factors go together.
@Suite struct MixerTests {
    @Test(
        "a choice is software, none, or hardware with its element and card",
        arguments: [
            ("software", .software), ("none", MixerChoice.none), ("hardware", .hardware(element: nil, card: nil)),
            ("hardware:Digital", .hardware(element: "Digital", card: nil)),
            ("hardware:Line Out,1@hw:1", .hardware(element: "Line Out,1", card: "hw:1")),
            ("hardware:@hw:1", .hardware(element: nil, card: "hw:1")), ("hardware:", nil), ("hardware:x@", nil),
            ("hardwired", nil), ("", nil), ("hardware:\0", nil),
        ] as [(String, MixerChoice?)])
    func choices(_ text: String, _ choice: MixerChoice?) { #expect(MixerChoice(parsing: text) == choice) }

    @Test(
        "a device's mixer is that of its card, or the one of the same name",
        arguments: [
            ("hw:1,0", "hw:1"), ("plughw:Name", "hw:Name"), ("front:CARD=Name,DEV=0", "hw:Name"),
            ("hw:CARD=Name,DEV=0", "hw:Name"), ("default", "default"), ("plug:'hw:1,0'", "hw:1"),
            ("plug:default", "default"), ("lab", "lab"), ("hw:", "hw:0"),
        ])
    func cards(_ device: String, _ card: String) { #expect(MixerChoice.card(ofDevice: device) == card) }

    @Test("full volume is 0 dB, or the element's most where that is less; it is never more")
    func full() {
        #expect(MixerScale(least: -5_100, most: 0).full == 0)
        #expect(MixerScale(least: -6_400, most: 600).full == 0)
        #expect(MixerScale(least: -6_400, most: -300).full == -300)
        #expect(MixerScale(least: 0, most: 2_000).full == 2_000)
    }

    @Test("half the volume is 9 dB less; what is softer than the softest step is that step")
    func decibels() {
        let scale = MixerScale(least: -5_100, most: 0)
        // (50 / 100)^1.5
        #expect(scale.decibels(ofAmplitude: 0.353_553_39) == -904)
        #expect(scale.decibels(ofAmplitude: 1) == 0)
        #expect(scale.decibels(ofAmplitude: 2) == 0)
        #expect(scale.decibels(ofAmplitude: 1e-9) == -5_100)
        #expect(scale.decibels(ofAmplitude: 0) == -5_100)
        #expect(MixerScale(least: -6_400, most: -300).decibels(ofAmplitude: 1) == -300)
    }

    @Test("the way back from decibels gives the factor again, and 1 for what amplifies")
    func amplitudes() {
        let scale = MixerScale(least: -5_100, most: 600)
        for amplitude in [1, 0.5, 0.1, 0.01] {
            let back = scale.amplitude(ofDecibels: scale.decibels(ofAmplitude: amplitude))
            #expect(abs(back / amplitude - 1) < 0.002)
        }
        #expect(scale.amplitude(ofDecibels: 600) == 1)
        let muting = MixerScale(least: -9_999_999, most: 0)
        #expect(muting.amplitude(ofDecibels: -9_999_999) == 0)
        #expect(muting.decibels(ofAmplitude: 0) == -9_999_999)
    }

    @Test("a mixer that is not there is missing, and can be plugged in later")
    func missing() {
        #expect { try HardwareMixer(nil, ofCard: "hw:31") } throws: { ($0 as? OutputError)?.isMissing == true }
    }

    @Test("an element that is not there is named, with those that are")
    func errors() {
        #expect(
            "\(OutputError.noMixerElement("Loud", card: "hw:1", others: ["Master", "PCM"]))"
                == "the mixer of \"hw:1\" has no volume in decibels called \"Loud\"; it has Master, PCM")
        #expect(
            "\(OutputError.noMixerElement(nil, card: "hw:1", others: []))"
                == "the mixer of \"hw:1\" has no volume in decibels for all of its sound; use --mixer software")
    }
}
