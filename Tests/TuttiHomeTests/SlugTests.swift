import Testing
import TuttiHome

@Suite("Slugs of groups and rooms") struct SlugTests {
    @Test(
        "a plain name is its own slug, without case and accents",
        arguments: [
            ("Downstairs", "downstairs"), ("Living Room", "living-room"), ("Küche", "kuche"),
            ("2nd floor", "2nd-floor"),
        ])
    func plain(name: String, slug: String) { #expect(Slug.ofGroup(name) == slug) }

    @Test("whatever a name is, its slug fits into a topic, and no two names share one")
    func unique() {
        let names = [
            "a b", "a-b", "a_b", "a/b", "a+b", "a#b", "", " ", "-", "厨房", "臥室", "кухня", "🎵", "🎶", "a\u{0}b",
            String(repeating: "x", count: 41), String(repeating: "x", count: 42), "../..", "$SYS",
        ]
        let slugs = names.map(Slug.ofGroup)
        #expect(Set(slugs).count == names.count)
        for slug in slugs { #expect(Slug.isValid(slug), "\(slug)") }
    }

    @Test("a name cannot be made to have another one's slug")
    func forged() {
        let slug = Slug.ofGroup("a/b")
        #expect(Slug.ofGroup(slug) != slug)
    }

    @Test("slugs stay what they are from version to version")
    func stable() { #expect(Slug.ofGroup("a/b") == "a_b_e620c3190468cf61") }

    @Test("a speaker's id is its slug if it can be one")
    func rooms() {
        #expect(Slug.ofRoom(id: "9f3c11") == "9f3c11")
        #expect(Slug.ofRoom(id: "a/b#").hasPrefix("id_"))
        #expect(Slug.ofRoom(id: "id_0") != "id_0")
        #expect(Slug.isValid(Slug.ofRoom(id: String(repeating: "f", count: 500))))
    }
}
