import Testing
import TuttiCore

@Suite("Choices of tracks")
struct TrackChoiceTests {
    @Test(arguments: [
        ("auto", TrackChoice.automatic), ("1", .number(1)), ("64", .number(64)), ("de", .language("de")),
        ("ger", .language("ger")), ("pt-BR", .language("pt-BR")),
    ])
    func textsOfBothKinds(text: String, choice: TrackChoice) throws {
        for kind in TrackChoice.Kind.allCases { #expect(try TrackChoice(parsing: text, of: kind) == choice) }
        #expect(choice.description == text)
    }

    @Test(arguments: [
        ("off", TrackChoice.off), ("film.srt", .file("film.srt")), ("/a b/de.ASS", .file("/a b/de.ASS")),
        ("x.ssa", .file("x.ssa")), ("x.vtt", .file("x.vtt")),
    ])
    func textsOfSubtitles(text: String, choice: TrackChoice) throws {
        #expect(try TrackChoice(parsing: text, of: .subtitle) == choice)
        #expect(choice.description == text)
        #expect(throws: TrackChoiceError.badAudioTrack(text)) { try TrackChoice(parsing: text, of: .audio) }
    }

    @Test(arguments: [
        "", " ", "deutsch", "d", "und", "de-", "film.txt", "1.5", "0x1", "d\u{7}e", "99999999999999999999",
    ])
    func wrongTexts(text: String) {
        for kind in TrackChoice.Kind.allCases {
            #expect(throws: TrackChoiceError.self) { try TrackChoice(parsing: text, of: kind) }
        }
    }

    @Test(arguments: [0, -1, 65, .max, .min])
    func wrongNumbers(number: Int) {
        #expect(throws: TrackChoiceError.noSuchNumber(number)) {
            try TrackChoice(parsing: "\(number)", of: .audio)
        }
    }

    @Test func errorsAreOneShortLine() {
        let text = String(repeating: "x\n", count: 10_000)
        do throws(TrackChoiceError) {
            _ = try TrackChoice(parsing: text, of: .subtitle)
            Issue.record("this chooses nothing")
        } catch {
            #expect(error.description.utf8.count < 300)
            #expect(!error.description.contains("\n"))
        }
    }

    @Test(arguments: ["de", "ger", "deu", "DE", "de-AT", "ger-DE"])
    func oneLanguageHasSeveralCodes(text: String) throws {
        let tag = try #require(LanguageTag(text))
        for other in ["de", "ger", "deu", "deu-CH"] {
            #expect(try #require(LanguageTag(other)).likeness(to: tag) != nil)
        }
        for other in ["en", "nds", "gem", "dut"] { #expect(LanguageTag(other)?.likeness(to: tag) == nil) }
    }

    @Test func codesOfThreeLettersOnlyAreLanguagesToo() throws {
        #expect(try #require(LanguageTag("cmn")).likeness(to: #require(LanguageTag("cmn"))) == 2)
        #expect(LanguageTag("zh") == LanguageTag("chi"))
        #expect(LanguageTag("zho") == LanguageTag("zh"))
    }

    @Test func theVeryRegionIsBest() {
        let tracks = ["eng", "por", "pt-PT", "pt_br", nil, "what is this"]
        #expect(TrackChoice.language("pt-BR").index(among: tracks) == 3)
        #expect(TrackChoice.language("pt-AO").index(among: tracks) == 1)
        #expect(TrackChoice.language("pt").index(among: tracks) == 1)
        #expect(TrackChoice.language("pt").index(among: ["eng", "pt-PT"]) == 1)
        #expect(TrackChoice.language("fr").index(among: tracks) == nil)
    }

    @Test func numbersAreCountedFromOne() {
        #expect(TrackChoice.number(1).index(among: ["eng", nil]) == 0)
        #expect(TrackChoice.number(2).index(among: ["eng", nil]) == 1)
        #expect(TrackChoice.number(3).index(among: ["eng", nil]) == nil)
        #expect(TrackChoice.number(1).index(among: []) == nil)
        #expect(TrackChoice.number(.min).index(among: ["eng"]) == nil)
        for choice in [TrackChoice.automatic, .off, .file("a.srt")] { #expect(choice.index(among: ["eng"]) == nil) }
    }
}
