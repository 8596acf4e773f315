import Testing
import TuttiCore

/// Names as people write them.
@Suite struct NamesTests {
    @Test("case and accents do not matter, composed or not")
    func folding() {
        for (one, other) in [
            ("Küche", "kuche"), ("KÜCHE", "ku\u{308}che"), ("Café", "CAFE"), ("Straße", "STRASSE"), ("Ærø", "aero"),
            ("Łódź", "lodz"), ("Ванная", "ванная"), ("Σαλόνι", "σαλονι"), ("kitchen", "Kitchen"), ("厨房", "厨房"),
        ] {
            #expect(Names.areSame(one, other), "\(Names.fold(one)), \(Names.fold(other))")
        }
        for (one, other) in [("bath", "bad"), ("Küche", "Kirche"), ("厨房", "厨室"), ("room 1", "room 2")] {
            #expect(!Names.areSame(one, other))
        }
    }

    @Test("the name that was probably meant is found, and none where nothing is similar")
    func nearest() {
        let rooms = ["kitchen", "bath", "bedroom", "Büro"]
        for (text, meant) in [
            ("kichen", "kitchen"), ("ktichen", "kitchen"), ("bedrom", "bedroom"), ("buero", "Büro"), ("bed", "bedroom"),
            ("BATHH", "bath"),
        ] {
            #expect(Names.nearest(to: text, in: rooms) == meant, "\(text)")
        }
        for text in ["attic", "garage", "", "x"] { #expect(Names.nearest(to: text, in: rooms) == nil, "\(text)") }
    }
}
