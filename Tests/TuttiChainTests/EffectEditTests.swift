import Testing
import TuttiChain

@Suite struct EffectEditTests {
    private static let bands = [EQBand(.peak, frequency: 62, gain: -5, q: 4)]
    private static let full = EffectChain([
        .channels(.left), .crossover(Crossover(.high, frequency: 80)), .equalizer(bands),
        .convolution(Convolution(impulse: "a.wav")), .limiter(Limiter()),
    ])

    @Test func aNewEffectGoesWhereItBelongs() {
        var chain = EffectChain([.limiter(Limiter())])
        chain = chain.applying(.convolution(Convolution(impulse: "a.wav")))
        chain = chain.applying(.equalizer(Self.bands))
        chain = chain.applying(.channels(ChannelSelection(.left, crossover: 80)))
        #expect(chain == Self.full)
    }

    @Test func aNewSettingTakesThePlaceOfTheOld() {
        let other = [EQBand(.lowShelf, frequency: 100, gain: 3)]
        let edited = Self.full.applying(.equalizer(other)).applying(.channels(ChannelSelection(.sub)))
        #expect(
            edited.effects == [
                .channels(.mono), .crossover(Crossover(.low, frequency: 80)), .equalizer(other),
                .convolution(Convolution(impulse: "a.wav")), .limiter(Limiter()),
            ])
    }

    @Test func offTakesAwayAndNothingElse() throws {
        #expect(Self.full.applying(try EffectEdit(.eq, parsing: "off")).effects.count == 4)
        #expect(Self.full.applying(try EffectEdit(.convolve, parsing: "off")).effects.count == 4)
        #expect(Self.full.applying(try EffectEdit(.channels, parsing: "stereo")).effects.count == 3)
        #expect(Self.full.applying(try EffectEdit(.chain, parsing: "off")).effects.isEmpty)
    }

    @Test(
        arguments: [
            .equalizer(bands), .equalizer([]), .convolution(Convolution(impulse: "kitchen room.wav", gain: -3)),
            .convolution(nil), .channels(ChannelSelection(.sub, crossover: 62.5)),
            .channels(ChannelSelection(.right, crossover: 100)), .channels(ChannelSelection(.swap)), .chain(full),
            .chain(EffectChain()),
        ] as [EffectEdit])
    func textsReadAsWhatTheyWereMadeOf(edit: EffectEdit) throws {
        #expect(try EffectEdit(edit.kind, parsing: edit.text) == edit)
    }

    @Test(
        arguments: [
            "", "all", "left above", "left below 80", "sub above 80", "left 80", "left above eighty", "sub below 80 Hz",
            "stereo above inf",
        ])
    func channelsThatCannotBeMeantAreRefused(text: String) {
        #expect(throws: ChainError.self) { try ChannelSelection(parsing: text) }
    }

    @Test func aSubwooferNeedsNoFrequency() throws {
        #expect(try ChannelSelection(parsing: "sub") == ChannelSelection(.sub, crossover: 80))
        #expect(try ChannelSelection(parsing: "SUB 60") == ChannelSelection(.sub, crossover: 60))
    }

    @Test func impulsesAreRenamedWhereverTheyAre() {
        let renamed = Self.full.renamingImpulses(["a.wav": "b"])
        #expect(renamed.impulses == ["b"] && Self.full.impulses == ["a.wav"])
        #expect(
            EffectEdit.convolution(Convolution(impulse: "a.wav")).renamingImpulses(["a.wav": "b"]).impulses == ["b"])
    }

    @Test func convolutionsTellWhichFilesTheyAreOf() {
        func name(_ impulse: String, _ name: String = "") -> String? {
            let edit = EffectEdit.convolution(Convolution(impulse: impulse, name: name)).namingFiles()
            guard case .convolution(let convolution?) = edit else { return nil }
            #expect(convolution.impulse == impulse && (try? EffectChain([.convolution(convolution)]).validate()) != nil)
            return convolution.name
        }
        #expect(name("/srv/impulses/kitchen window.wav") == "kitchen window.wav" && name("hall.wav") == "hall.wav")
        #expect(name("/srv/a.wav", "my hall") == "my hall")
        #expect(name("/srv/" + String(repeating: "é", count: 90)) == String(repeating: "é", count: 40))
        let named = EffectEdit.convolution(Convolution(impulse: "a.wav", name: "a.wav"))
        #expect(EffectEdit.chain(Self.full).namingFiles() == .chain(Self.full.applying(named)))
    }

    @Test func otherSidesLeaveACrossoverToASubwoofer() {
        let above = EffectChain().applying(.channels(ChannelSelection(.stereo, crossover: 80)))
        #expect(above.selecting(.left) == .channels(ChannelSelection(.left, crossover: 80)))
        #expect(EffectChain().selecting(.right) == .channels(ChannelSelection(.right)))
        let sub = EffectChain().applying(.channels(ChannelSelection(.sub)))
        #expect(sub.selecting(.stereo) == .channels(ChannelSelection(.stereo)))
    }

    @Test func aCorrectionTakesThePlaceOfTheOneBefore() {
        let correction = EffectChain([.gain(-3), .equalizer([EQBand(.peak, frequency: 40, gain: -8, q: 5)])])
        let once = Self.full.corrected(by: correction)
        #expect(once.corrected(by: correction) == once)
        #expect(Array(once.effects[2...3]) == correction.effects && once.effects.count == 6)
    }
}
