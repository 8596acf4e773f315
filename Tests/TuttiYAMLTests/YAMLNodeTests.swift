import Testing
import TuttiYAML

@Suite("Whole documents")
struct YAMLNodeTests {
    private func node(_ text: String) throws -> YAMLNode { try #require(try YAMLNode(parsing: Array(text.utf8))) }

    @Test("values, lists and tables have their lines and their order")
    func parts() throws {
        let root = try node("b: [1, two]\na:\n  - {c: 'd'}\n  - |\n    long\n")
        let pairs = try #require(root.table)
        #expect(pairs.map(\.key.text) == ["b", "a"] && pairs.map(\.key.line) == [1, 2])
        #expect(pairs[0].value.list?.map(\.text) == ["1", "two"] && pairs[0].value.text == nil)
        let list = try #require(pairs[1].value.list)
        #expect(list.map(\.line) == [3, 4] && list[1].text == "long\n")
        #expect(list[0].table?.first?.value.text == "d" && list[0].list == nil)
    }

    @Test("what stands for nothing", arguments: ["a:", "a: ~", "a: null", "a: NULL"])
    func null(text: String) throws { #expect(try node(text).table?.first?.value.isNull == true) }

    @Test("quoted text is text", arguments: ["a: ''", "a: 'null'", "a: \"~\"", "a: nil", "a: []"])
    func notNull(text: String) throws { #expect(try node(text).table?.first?.value.isNull == false) }

    @Test("an empty file has nothing in it", arguments: ["", "# nothing\n", "\n\n"])
    func empty(text: String) throws { #expect(try YAMLNode(parsing: Array(text.utf8)) == nil) }

    @Test("a reference is what it refers to, even to what it stands in")
    func references() throws {
        #expect(try node("a: &x [1]\nb: *x").table?.last?.value.list?.first?.text == "1")
        let root = try node("&x [*x]")
        #expect(root.list?.first?.list?.first?.list?.count == 1)
    }

    @Test(
        "what is wrong is said with its line",
        arguments: [
            ("a: [b", 2, "did not find expected"), ("a: 1\nb: *none", 2, "undefined alias"),
            ("a: 1\nb: 2\na: 3\n", 1, "a is given twice"),
            ("a:\n  c: 1\n  b: 1\n  b: 1\n  c: 1", 3, "b, c is given twice"),
            ("a: 1\n---\nb: 1\n", 3, "another document"), ("a: \u{1}", 1, "control characters"),
        ])
    func flaws(text: String, line: Int, reason: String) throws {
        let flaw = try #require(throws: YAMLFlaw.self) { try YAMLNode(parsing: Array(text.utf8)) }
        #expect(flaw.line == line && flaw.reason.contains(reason), "\(flaw)")
    }
}
