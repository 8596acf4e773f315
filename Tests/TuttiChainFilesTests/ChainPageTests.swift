import Foundation
import Testing
import TuttiChain
import TuttiChainFiles

@Suite("The page on chains")
struct ChainPageTests {
    /// The blocks of code of docs/chains.md, with the names of their languages.
    private func blocks() throws -> [(language: String, text: String)] {
        let page = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/chains.md")
        let parts = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```")
        return stride(from: 1, to: parts.count, by: 2).map { place in
            let lines = parts[place].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
        }
    }

    @Test("its examples are read")
    func examples() throws {
        var seen: [String] = []
        for (language, text) in try blocks() {
            if language == "yaml" || language == "json" {
                #expect(try !ChainImport(parsing: text, as: .chainYAML).chain.effects.isEmpty)
                if language == "json" { _ = try JSONDecoder().decode(EffectChain.self, from: Data(text.utf8)) }
            } else if text.hasPrefix("#") {
                #expect(try EffectChain(parsing: text).effects.count == 3)
            } else if text.hasPrefix("peak") {
                #expect(try EqualizerText(parsing: text).bands.count == 3)
            } else {
                continue
            }
            seen.append(language)
        }
        #expect(seen == ["", "", "yaml", "json"])
    }

    @Test("the texts of its table are read, and there is one for each effect")
    func table() throws {
        let page = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/chains.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .drop { !$0.hasPrefix("| text | JSON") }.dropFirst(2).prefix { $0.hasPrefix("|") }
        #expect(rows.count == 10)
        for row in rows {
            let codes = row.split(separator: "`")
            let effect = try Effect(parsing: String(codes[1]).replacing("; …", with: ""))
            let json = String(decoding: try JSONEncoder().encode(effect), as: UTF8.self)
            #expect(json.hasPrefix("{\"\(codes[3])\":"), "\(row)")
        }
    }
}
